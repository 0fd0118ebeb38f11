//! Answers in words, with what they lead to.

use super::phrases::*;
use crate::act::{self, Manner};
use crate::answer::{Answer, Control, Deed, GloryPick, Prompt, UpperPick};
use crate::state::{Action, Outcome};
use crate::{At, TruthAndLight, power, scene, settle, view::knows_number, vocab::*};
use fracas_kernel::{Asking, Slot, Told, Viewer};

/// An answer, as far as this viewer may know what it leads to.
pub(super) fn answer(at: At<'_>, slot: Slot, answer: &Answer, who: Viewer) -> Told {
    of_scene(at, answer)
        .or_else(|| of_action(at, answer, who))
        .or_else(|| of_terms(at, slot, answer))
        .or_else(|| of_roll(at, answer, who))
        .or_else(|| of_pick(at, slot, answer))
        .unwrap_or_default()
}

/// What the gamemaster can have happen.
fn of_scene(at: At<'_>, answer: &Answer) -> Option<Told> {
    let n = |c: Char| at.rules.name(c);
    Some(match *answer {
        Answer::Floor(c) => Told::new(format!("{} has the floor", n(c))),
        Answer::Test { who: c, on } => {
            let on = on.map_or(String::new(), |on| format!(" on {}", target(at.rules, on)));
            Told::new(format!("call for a test of {}{on}", n(c))).why(clause!("test.def"))
        }
        Answer::Save { on, by, shake: Some(cause) } => {
            let (by, on) = (target(at.rules, by), names(at.rules, on));
            let rid = cause_name(at.rules, cause);
            Told::new(format!("{by} would be rid of {rid}: {on} must save")).why(clause!("held-by-a-player"))
        }
        Answer::Save { on, by, .. } => {
            Told::new(format!("{} must save against {}", names(at.rules, on), target(at.rules, by)))
                .why(clause!("save.def"))
        }
        Answer::Assault { by, on } => {
            Told::new(format!("{} attacks {}", n(by), n(on))).why(clause!("action.attack-npc"))
        }
        Answer::Conflict(conflict) => Told::new(format!("a {conflict} conflict scene begins")),
        Answer::Peace => Told::new("the conflict scene ends"),
        Answer::NextRound => Told::new("the round ends"),
        Answer::NextScene => Told::new("the next scene begins").leads(scene_leads(at)),
        Answer::Close => Told::new("the table closes"),
        Answer::Place { who: c, zone } => {
            Told::new(format!("{} is in {} now", n(c), at.rules.zones[zone.index()].name))
        }
        Answer::Notice(c) => Told::new(format!("{} notices", n(c))),
        Answer::Hostile { who: c, hostile: true } => Told::new(format!("{} turns hostile", n(c))),
        Answer::Hostile { who: c, .. } => Told::new(format!("{} is hostile no longer", n(c))),
        _ => return None,
    })
}

/// What the end of a scene leads to: what ends, what begins, and who recovers (`ext.harm`).
fn scene_leads(at: At<'_>) -> String {
    let (who, back) = scene::recovering(at);
    let foes = !who.minus(at.rules.pcs).is_empty();
    let recovery = match at.rules.recovery {
        _ if who.is_empty() => String::new(),
        Recovery::Full if foes => ", and all harm is gone, foes' too".to_owned(),
        Recovery::Full => ", and all harm is gone".to_owned(),
        _ => format!(", and one point of each track comes back to {}", names(at.rules, who)),
    };
    let back = if back.is_empty() { String::new() } else { format!(": {}", back_words(at.rules, back)) };
    format!("what lasts for the scene ends, fortunes taken become playable{recovery}{back}")
}

/// What a player's character can do.
fn of_action(at: At<'_>, answer: &Answer, who: Viewer) -> Option<Told> {
    let n = |c: Char| at.rules.name(c);
    Some(match *answer {
        Answer::Major(deal) => {
            let words = deal_words(at.rules, &deal, Manner::Plain, at.state);
            let told = Told::new(format!("{}: {words}", n(deal.who)))
                .leads("the gamemaster settles what it takes")
                .why(clause!("action.major"));
            if deal.what.is_some() { told.free("/major/what") } else { told }
        }
        Answer::Attack(deal) => {
            let number = match deal.on {
                Some(Target::Char(npc)) if !at.rules.is_pc(npc) && knows_number(at, npc, who) => {
                    let Action { kind, tags, .. } = act::declared(at, deal, Manner::Attack);
                    format!("against {}", power::number(at, npc, kind, tags))
                }
                _ => String::new(),
            };
            let by = Some(Target::Char(deal.who));
            let does = deal.end.zip(deal.on);
            let does = does.map_or(String::new(), |(end, on)| end_would(at, end, (on, by)));
            let leads: Vec<String> = [number, does].into_iter().filter(|part| !part.is_empty()).collect();
            Told::new(format!("{}: {}", n(deal.who), deal_words(at.rules, &deal, Manner::Attack, at.state)))
                .leads(leads.join("; "))
                .why(clause!("action.attack"))
        }
        Answer::Minor { who: c, deed } => {
            let told = Told::new(format!("{} {}", n(c), deed_words(at, deed)))
                .leads("no roll: it just happens")
                .why(clause!("action.minor"));
            if matches!(deed, Deed::Other(_)) { told.free("/minor/deed/other") } else { told }
        }
        Answer::Done(c) => Told::new(format!("{} is done", n(c))),
        _ => return None,
    })
}

/// What the gamemaster settles of a roll.
fn of_terms(at: At<'_>, slot: Slot, answer: &Answer) -> Option<Told> {
    let prompt = TruthAndLight::ask_at(at, slot).map(|ask| ask.prompt);
    let action = at.state.action.as_ref();
    Some(match *answer {
        Answer::Settle { label: Label::Minor, .. } => {
            let save = matches!(prompt, Some(Prompt::Terms { .. }));
            let leads = if save { "it is nothing to them" } else { "it just happens" };
            Told::new("it takes no roll").leads(leads).why(clause!("tn.mundane"))
        }
        Answer::Settle { reach, attribute, tn, tags, .. } => {
            let Some(action) = action else { return Some(Told::new("agreed")) };
            let action = settle::on_test_terms(at, action, (reach, attribute, tags));
            let Action { who, reach, attribute, tags, .. } = action;
            let given = act::given_number(at, &action, reach, tags);
            let number = tn.or(given).unwrap_or(0);
            let rank = at.rules.sheet(who).ranks[attribute as usize];
            Told::new(format!("{reach} {attribute} test against {number}"))
                .leads(format!("{attribute} {rank}"))
                .why(clause!("attr.gm-names"))
        }
        Answer::Conversation => {
            Told::new("they talk it out").leads("no dice").why(clause!("pc-vs-pc-ruling"))
        }
        Answer::Refuse if matches!(prompt, Some(Prompt::Terms { .. })) => {
            Told::new("take it back").leads("nobody has to save")
        }
        Answer::Refuse => Told::new("it cannot be done so").leads("something else is declared"),
        Answer::Terms { attribute, tn, tags, end } => {
            let Some(action) = action else { return Some(Told::new("a save")) };
            let saved = settle::on_terms(at, action, (attribute, tags, end));
            let number = settle::given_for_save(at, &saved, tn).or(tn).unwrap_or(0);
            let save = format!("{} save against {number}", saved.attribute);
            let (title, what) = match saved.end {
                Some(end) => {
                    let name = &at.rules.ending(end).name;
                    let does = end_does(at.rules, end);
                    (format!("{name}: {save}"), if does.is_empty() { name.clone() } else { does })
                }
                None => {
                    let rid = |cause| format!("rid of {}", cause_name(at.rules, cause));
                    (save, saved.shake.map_or("told in words".to_owned(), rid))
                }
            };
            Told::new(title).leads(format!("a failure: {what}")).why(clause!("attr.saves-lesser"))
        }
        _ => return None,
    })
}

/// What goes into a roll, and what is done with it.
fn of_roll(at: At<'_>, answer: &Answer, who: Viewer) -> Option<Told> {
    let action = at.state.action.as_ref();
    Some(match *answer {
        Answer::Ready { die, ability, using } => {
            let mut parts = Vec::new();
            if die {
                parts.push("the writhing die".to_owned());
            }
            parts.extend(ability.map(|ability| at.rules.power(ability).name.clone()));
            parts.extend(using.map(|boon| at.state.name_of(at.rules, boon).to_owned()));
            if parts.is_empty() {
                parts.push("nothing more".to_owned());
            }
            let leads = action.map_or(String::new(), |action| {
                let trial = Action {
                    ability: action.ability.or(ability),
                    using: action.using.or(using),
                    tags: ability.map_or(action.tags, |a| action.tags.or(at.rules.power(a).tags)),
                    ..*action
                };
                let trial = Action { ability_used: power::uses_ability(at, &trial), ..trial };
                power_words(at, &trial)
            });
            Told::new(format!("into the roll: {}", parts.join(", "))).leads(leads)
        }
        Answer::BadFortune => {
            Told::new("play bad fortune").leads("Light is rolled again").why(clause!("fortune.bad-use"))
        }
        Answer::GoodFortune => {
            Told::new("play good fortune").leads("Light is rolled again").why(clause!("fortune.good-use"))
        }
        Answer::Reroll => Told::new("roll Light again, by what is used").leads("Light is rolled again"),
        Answer::Pass => Told::new("let it be"),
        Answer::Spend(spend) => {
            let leads =
                action.map_or(String::new(), |a| spend_leads(at, a, (spend.max(0) as u8, false), who));
            Told::new(format!("spend {spend}")).leads(leads).why(clause!("spend.choice"))
        }
        Answer::Claim { spend, ref reason } => {
            let leads = action.map_or(String::new(), |a| spend_leads(at, a, (spend.max(0) as u8, true), who));
            let why = reason.as_ref().map_or(String::new(), |reason| format!(": {}", reason.as_str()));
            let told = Told::new(format!("spend {spend} and fail on account of the writhing{why}"))
                .leads(leads)
                .why(clause!("writhing.claim"));
            if reason.is_some() { told.free("/claim/reason") } else { told }
        }
        Answer::PushOn => {
            let more = match at.rules.options.pushed_degrees {
                0 => "",
                1 => ", and a degree more",
                2 => ", and two degrees more",
                3 => ", and three degrees more",
                _ => ", and four degrees more",
            };
            let leads = format!("a second roll: guilty if it fails, glorious if it succeeds{more}");
            Told::new("push on").leads(leads).why(clause!("push.redo"))
        }
        Answer::Withdraw => {
            let result = action.map(|action| Outcome { band: Band::Innocent, ..action.result });
            Told::new("withdraw")
                .leads(result.map_or(String::new(), result_words))
                .why(clause!("push.withdraw"))
        }
        _ => return None,
    })
}

/// What comes of a roll, and yes or no.
fn of_pick(at: At<'_>, slot: Slot, answer: &Answer) -> Option<Told> {
    let n = |c: Char| at.rules.name(c);
    let prompt = TruthAndLight::ask_at(at, slot).map(|ask| ask.prompt);
    let roller = at.state.action.map_or(Target::Surroundings, |action| Target::Char(action.who));
    Some(match *answer {
        Answer::Guilt(pick) => {
            let (text, leads) = guilt_words(at, roller, pick);
            Told::new(text).leads(leads).why(guilt_clause(pick.guilt()))
        }
        Answer::Glory(pick) => {
            let (text, leads) = glory_words(at, roller, pick);
            let told = Told::new(text).leads(leads).why(glory_clause(pick.glory(), pick.mode()));
            match pick {
                GloryPick::ControlBoons(Control::Improvise { .. }) => {
                    told.free("/glory/control-boons/improvise/name")
                }
                _ => told,
            }
        }
        Answer::Fortune(ground) => {
            let fate = if matches!(prompt, Some(Prompt::Guilt(_))) { Fate::Bad } else { Fate::Good };
            let leads = match (fate, ground) {
                (Fate::Bad, Ground::NothingFits) => "bad fortune, without asking",
                (Fate::Bad, Ground::FarApart) => "the player takes bad fortune, or a guilt",
                (Fate::Good, _) => "the gamemaster says whether that is so",
            };
            Told::new(format!("{}: {}", fate_words(fate), ground_words(ground)))
                .leads(leads)
                .why(clause!("fortune.condition"))
        }
        Answer::Lose(lost) => Told::new(format!("lose {}", lost_words(at, lost))),
        Answer::Upper(pick) => {
            let (text, leads) = match pick {
                UpperPick::Press => {
                    ("press".to_owned(), "+2 power number through its next action".to_owned())
                }
                UpperPick::Seize(boon) => {
                    (format!("seize {}", at.state.name_of(at.rules, boon)), "the boon is lost".to_owned())
                }
                UpperPick::Surprise(end) => (format!("surprise: {}", at.rules.ending(end).name), {
                    let by = at.state.action.and_then(|action| action.target);
                    let does = end_would(at, end, (roller, by));
                    format!("one more end, without a roll{}", after_colon(&does))
                }),
                UpperPick::Rally(other) => {
                    (format!("rally {}", n(other)), "+2 power number on their next action".to_owned())
                }
                UpperPick::Overwhelm => ("overwhelm".to_owned(), "four degrees more".to_owned()),
            };
            Told::new(text).leads(leads).why(clause!("ext.npc-glory"))
        }
        Answer::Yes => {
            let (text, leads) = match prompt {
                Some(Prompt::Reason(_)) => ("the reason is good enough", ""),
                Some(Prompt::Take(_)) => (
                    "take bad fortune",
                    "no guilt; once in the next scene the gamemaster may have Light rolled again on one of your saves",
                ),
                Some(Prompt::Allow(_)) => ("allowed", ""),
                _ => ("yes", ""),
            };
            Told::new(text).leads(leads)
        }
        Answer::No => {
            let (text, leads) = match prompt {
                Some(Prompt::Reason(_)) => ("it is not: spending is decided anew", ""),
                Some(Prompt::Take(_)) => {
                    ("rather a guilt", "at once, and the gamemaster picks which of the four")
                }
                Some(Prompt::Allow(_)) => ("no: something else is picked", ""),
                _ => ("no", ""),
            };
            Told::new(text).leads(leads)
        }
        _ => return None,
    })
}
