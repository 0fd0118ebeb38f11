//! What happens, each event with its sentence.

use crate::{Template, table::*};
use fracas_kernel::{events, says};

events! {
    /// What happened.
    pub enum Event of Template, telling (at, viewer);

    "goes" Goes { pub who: Char, pub to: u8 } => opens(clause!("cross.walk"), "{who} comes to pace {to}.");
    "runs" Runs { pub who: Char } => opens(clause!("cross.run"), "{who} runs.");
    "falls" Falls { pub who: Char } => says(clause!("cross.run"), "{who} falls, and loses one strength.");
    "comes" Comes { pub beast: Beast, pub on: Char } =>
        says(clause!("beast.comes"), "{beast} comes out, and {on} loses one strength.");
    "drives-off" DrivesOff { pub who: Char, pub beast: Beast } =>
        opens(clause!("beast.drive-off"), "{who} drives {beast} off.");
    "out" Out { pub who: Char } => says(clause!("cross.out"), "{who} is out.");
    "over" pub Over => says(clause!("cross.end"), "The crossing is over.");
    "placed" Placed { pub who: Char, pub pace: u8 } =>
        says(clause!("gm.word"), "By the gamemaster's word {who} stands at pace {pace}.");
    "lurks" Lurks { pub beast: Beast } =>
        says(clause!("gm.word"), "By the gamemaster's word {beast} is out of sight.");
}

says! { Template, at;
    Char: who => at.rules.cast[who.index()].name;
    Beast: beast => at.rules.beasts[beast.index()].name;
}
