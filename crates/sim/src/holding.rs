//! Which seats play waits for.

use fracas_kernel::{AnyTable, AskInfo, Duty};

/// The asks that play waits for: those that must be answered; if there are none, those that
/// must be declined for play to go on; if there are none of these either, all. All other
/// asks may stay open.
pub fn holding<'a>(game: &dyn AnyTable, asks: &'a [AskInfo]) -> Vec<&'a AskInfo> {
    foremost(asks, |ask| match ask.duty {
        Duty::Must => Hold::Must,
        Duty::May if game.decline(ask.id).is_some() => Hold::Declined,
        Duty::May => Hold::Idle,
    })
}

/// How much an ask holds play up.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Hold {
    /// It may stay open.
    Idle,
    /// It has to be declined, unless it is answered.
    Declined,
    /// It has to be answered.
    Must,
}

/// The asks that hold play up most.
fn foremost<T>(asks: &[T], hold: impl Fn(&T) -> Hold) -> Vec<&T> {
    let most = asks.iter().map(&hold).max();
    asks.iter().filter(|ask| Some(hold(ask)) == most).collect()
}

#[cfg(test)]
mod tests {
    use super::{Hold::*, foremost};

    #[test]
    fn play_always_waits_for_some_ask() {
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
