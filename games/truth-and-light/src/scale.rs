//! What ranks and target numbers mean (Attribute Ranks, Target Numbers).

use crate::vocab::Attribute;
use fracas_kernel::Clause;

/// What a rank of an attribute means.
pub(crate) const fn rank(rank: u8) -> (&'static str, Clause) {
    match rank {
        0 => ("a healthy adult", clause!("rank.0")),
        1 => ("some talent", clause!("rank.1")),
        2 => ("a professional", clause!("rank.2")),
        3 => ("an elite professional", clause!("rank.3")),
        4 => ("a master", clause!("rank.4")),
        5 => ("a great predator or a hero of myth", clause!("rank.5")),
        6 => ("a common supernal entity", clause!("rank.6")),
        7 => ("a dangerous supernal entity", clause!("rank.7")),
        8 => ("a being of immense power", clause!("rank.8")),
        9 => ("an aihalan, if one ever fought", clause!("rank.9")),
        _ => ("a dalaihal, if there are any", clause!("rank.10")),
    }
}

/// How hard a target number is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Challenge {
    /// Below 6: it takes no roll.
    Mundane,
    /// 6 to 9.
    Hard,
    /// 10 to 13.
    VeryHard,
    /// 14 to 16.
    Epic,
}

impl Challenge {
    /// Of a target number that is rolled against.
    pub(crate) const fn of(tn: i8) -> Challenge {
        match tn {
            ..=9 => Challenge::Hard,
            10..=13 => Challenge::VeryHard,
            _ => Challenge::Epic,
        }
    }

    /// In words, with the clause.
    pub(crate) const fn words(self) -> (&'static str, Clause) {
        match self {
            Challenge::Mundane => ("mundane", clause!("tn.mundane")),
            Challenge::Hard => ("hard without some skill, luck or preparation", clause!("tn.band-6-9")),
            Challenge::VeryHard => ("hard after a lifetime of training", clause!("tn.band-10-13")),
            Challenge::Epic => ("beyond most mortals", clause!("tn.band-14-16")),
        }
    }

    /// Something as hard, of tests with this attribute.
    pub(crate) const fn like(self, attribute: Attribute) -> Option<(&'static str, Clause)> {
        use {Attribute::*, Challenge::*};
        Some(match (self, attribute) {
            (Mundane, Beauty) => ("flirting with a drunk", clause!("tn.ex-mundane-beauty")),
            (Mundane, Strength) => ("going up a ladder", clause!("tn.ex-mundane-strength")),
            (Mundane, Wisdom) => ("following one track in sand", clause!("tn.ex-mundane-wisdom")),
            (Hard, Beauty) => ("haggling with a merchant", clause!("tn.ex-low-beauty")),
            (Hard, Strength) => ("hiking up a mountain in heavy rain", clause!("tn.ex-low-strength")),
            (Hard, Wisdom) => ("solving an ancient riddle", clause!("tn.ex-low-wisdom")),
            (VeryHard, Beauty) => {
                ("playing a complex piece before a royal court", clause!("tn.ex-mid-beauty"))
            }
            (VeryHard, Strength) => ("climbing a fortified gate bare-handed", clause!("tn.ex-mid-strength")),
            (VeryHard, Wisdom) => ("translating an esoteric text of magick", clause!("tn.ex-mid-wisdom")),
            (Epic, Beauty) => ("seducing a demon", clause!("tn.ex-high-beauty")),
            (Epic, Strength) => ("lifting and hurling a boulder", clause!("tn.ex-high-strength")),
            (Epic, Wisdom) => ("crossing the underworld safely", clause!("tn.ex-high-wisdom")),
            (_, Honor | Valor | Initiative) => return None,
        })
    }
}
