//! Which attributes and essences suit the circumstances.
//!
//! The document's lists are examples (`martial.attr-open`): whatever else is
//! named may be allowed or refused; what suits is what is offered.

use crate::{At, arms, state::Arms, vocab::*};

/// Whether an attribute suits an attack.
pub(crate) fn attribute(
    at: At<'_>,
    (by, on): (Char, Char),
    form: Form,
    arms: Arms,
    attribute: Attribute,
) -> bool {
    let place = at.rules.form(form).attributes.iter().position(|&a| a == attribute);
    let Some(place) = place else { return false };
    // The default is always open (`martial.attr-arm`, `subtle.attr-tongue`).
    if place == 0 {
        return true;
    }
    let being = at.state.being(by);
    let setting = at.state.venue.setting;
    match (form, attribute) {
        (Form::Martial, Attribute::Eyes | Attribute::Feet) => {
            let band = arms::band_after(at.state, by, on, arms.moves);
            let weapon = arms::weapon(at, by, form, band, arms);
            let thrown = arms.manner == Some(Manner::Throw);
            if attribute == Attribute::Eyes {
                thrown || weapon.is_some_and(|item| at.rules.gear(item).range > Band::Close)
            } else {
                weapon.is_none() || arms::counts_as_unarmed(at, by) || setting.has(Setting::Room)
            }
        }
        (Form::Martial, Attribute::Guts) => being.mount.is_some() || being.footing,
        (Form::Martial, Attribute::Spirit) => at.state.being(on).unaware_of.has(by),
        (Form::Subtle, Attribute::Breath) => setting.has(Setting::Formal),
        (Form::Subtle, Attribute::Guts) => setting.has(Setting::War),
        (Form::Subtle, Attribute::Hands) => setting.has(Setting::Trade),
        (Form::Subtle, Attribute::Nose) => being.disguise.is_some() || setting.has(Setting::Social),
        _ => true,
    }
}

/// Whether an essence suits a save: the default always, Faith against magick and
/// supernal beings, Mind against what is unseen, a trap, or in argument a
/// deception.
pub(crate) fn essence(
    at: At<'_>,
    saver: Char,
    by: Option<Char>,
    form: Option<Form>,
    veiled: bool,
    essence: Essence,
) -> bool {
    let Some(form) = form else { return true };
    let usual = &at.rules.form(form).essences;
    if usual.first() == Some(&essence) {
        return true;
    }
    match essence {
        // Of what nobody sees it is not known whether it is supernal.
        Essence::Faith => {
            !veiled
                && by.is_some_and(|by| {
                    let magick = at.rules.gifts(at.state, by).any(|gift| gift.magick);
                    usual.contains(&essence) && (at.rules.sheet(by).supernal || magick)
                })
        }
        Essence::Mind if usual.contains(&essence) => {
            let surprise = by.is_none_or(|by| at.state.being(saver).unaware_of.has(by));
            let argued = at.state.venue.setting.has(Setting::Formal);
            veiled
                || surprise
                || (form == Form::Subtle && argued)
                || matches!(form, Form::Strategic | Form::Naval)
        }
        _ => false,
    }
}
