//! Fights of Ruins & Raiders, played in this process as far as a test wants to look on.

use crate::worlds::{Guest, Planted, Play};
use fracas_browser_tests::Window;
use fracas_kernel::{Document, Now, Seat, Setup, Viewer};
use fracas_table::Throw;

/// A new table of an encounter that draws on no library.
pub(crate) fn opened(encounter: &str) -> Play {
    let system = fracas_systems::find("ruins-and-raiders").expect("a system");
    let document = Document::toml("fight.toml", encounter).unwrap_or_else(|faults| panic!("{faults}"));
    Play::open(system, &Setup::alone(document), 1)
}

/// A seat answers the ask to which this is an answer.
#[track_caller]
pub(crate) fn answers(play: &mut Play, seat: Seat, answer: &str) {
    let Now::Asks(asks) = play.table.game().now() else { panic!("nothing is asked: {answer}") };
    let mut refused = Vec::new();
    for ask in asks.iter().filter(|ask| ask.who.seats().iter().any(|asked| asked == seat)) {
        match play.table.answer(seat, None, ask.id, answer, None) {
            Ok(_) => return,
            Err(error) => refused.push(error.to_string()),
        }
    }
    panic!("{seat} cannot answer {answer}: {refused:?}");
}

/// The fight begins, with every die of initiative showing this.
pub(crate) fn begun(play: &mut Play, face: u8) {
    answers(play, Seat::Gm, r#"{"battle":{}}"#);
    answers(play, Seat::Gm, r#""next""#);
    while let Now::Roll(_) = play.table.game().now() {
        play.table.roll(Seat::Gm, Throw::Faces(&[face, face])).expect("two dice");
    }
}

/// A table for a server, with these people at it.
pub(crate) fn planted(play: &Play, id: &str, people: &[Viewer]) -> Planted {
    let guests = people.iter().enumerate().map(|(n, who)| Guest::inside(*who, n)).collect();
    Planted { id: id.to_owned(), log: play.log(), guests }
}

/// The space in which a page shows a token; empty where it shows none.
pub(crate) fn space_of(window: &Window, token: &str) -> String {
    let script = "
        const map = document.querySelector('.map');
        const token = map?.querySelector(`.token[data-token=\"${arguments[0]}\"]`);
        if (!token) return '';
        const [, x, y] = /translate\\((-?\\d+) (-?\\d+)\\)/.exec(token.getAttribute('transform'));
        const { spaceAt, nameOf } = spacesOf(() => map);
        return nameOf(spaceAt(Number(x), Number(y)));";
    window.script(script, &[token.into()]).as_str().unwrap_or_default().to_owned()
}
