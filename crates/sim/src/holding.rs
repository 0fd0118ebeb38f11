//! Who holds play up.

use fracas_kernel::{AnyTable, AskInfo, Duty};

/// The asks that hold play up: those that must be answered; where there are none, those that
/// must be declined for play to go on; where there are none of these either, all of them.
/// Whatever else is asked may stay open.
pub fn holding<'a>(game: &dyn AnyTable, asks: &'a [AskInfo]) -> Vec<&'a AskInfo> {
    foremost(asks, |ask| match ask.duty {
        Duty::Must => Hold::Must,
        Duty::May if game.decline(ask.id).is_some() => Hold::Declined,
        Duty::May => Hold::Idle,
    })
}

/// How much play stands still for an ask.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Hold {
    /// It may stay open.
    Idle,
    /// It has to be declined, where it is not taken.
    Declined,
    /// It has to be answered.
    Must,
}

/// Those for which play stands still most.
fn foremost<T>(asks: &[T], hold: impl Fn(&T) -> Hold) -> Vec<&T> {
    let most = asks.iter().map(&hold).max();
    asks.iter().filter(|ask| Some(hold(ask)) == most).collect()
}

#[cfg(test)]
mod tests {
    use super::{Hold::*, foremost};

    #[test]
    fn somebody_holds_play_up_whatever_is_asked() {
        for (asks, hold) in [
            (&[Idle, Must, Declined, Must][..], &[Must, Must][..]),
            (&[Declined, Idle], &[Declined]),
            (&[Idle, Idle], &[Idle, Idle]),
            (&[], &[]),
        ] {
            let held: Vec<_> = foremost(asks, |ask| *ask).into_iter().copied().collect();
            assert_eq!(held, hold, "{asks:?}");
        }
    }
}
