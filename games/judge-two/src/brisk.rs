//! What draws a brisk player: judged from the table as it lies, without trying an answer.
//!
//! Units are tenths of those of `worth`. What is common to an ask is worked out once, before its answers.

mod acting;
mod effects;
mod judging;
mod saving;
mod stakes;

use self::acting::{Acting, best_assault, suits, together};
use self::effects::imposes;
use self::judging::{Judge, save_result, test_result};
use self::saving::{Stand, struck};
use self::stakes::{FIRST, THREAT, USUAL_LEVEL, point, weight_of};
use crate::answer::{Answer, Deed, Prompt};
use crate::state::{Frame, GroupStep, State};
use crate::{At, JudgeTwo, arms, risk, scene, vocab::*};
use fracas_kernel::{Asking as _, Seat, Slot};

/// How much a brisk player in this seat is drawn to each answer.
pub(crate) fn appeal(at: At<'_>, (slot, _): (Slot, Seat), listed: &[Answer], each: &mut impl FnMut(i32)) {
    let mut rate = |how: &mut dyn FnMut(Answer) -> i32| listed.iter().for_each(|&answer| each(how(answer)));
    let fair = |answer| -10 * restraint(at.state, answer);
    let Some(prompt) = JudgeTwo::ask_at(at, slot).map(|ask| ask.prompt) else { return rate(&mut |_| 0) };
    match (prompt, at.state.top()) {
        // Weakness ends as a turn begins (`weaken-own-turn`).
        (Prompt::NextTurn, _) => rate(&mut |answer| match answer {
            Answer::Begin(who) => {
                i32::from(at.state.being(who).weakened) - i32::from(risk::is_critical(at, who))
            }
            _ => 0,
        }),
        (Prompt::Turn(who), _) => {
            let mut turn = Acting::of(at, who, listed);
            rate(&mut |answer| turn.rate(answer));
        }
        (Prompt::NpcTurn(who), _) => {
            let mut turn = Acting::of(at, who, listed);
            rate(&mut |answer| turn.rate(answer) + fair(answer));
        }
        (Prompt::Intervene { .. }, _) => {
            let idle = at.state.form.is_some() && !listed.iter().any(|&answer| best_assault(at, answer) > 0);
            rate(&mut |answer| match answer {
                Answer::Grant(_) => best_assault(at, answer),
                // The surroundings threaten where nobody else does.
                Answer::Danger(who) if idle && who.len() == 1 => 1,
                _ => fair(answer),
            });
        }
        (Prompt::GroupDeed(who), _) => {
            let turn = Acting::of(at, who, listed);
            rate(&mut |answer| if let Answer::Deed(deed) = answer { turn.deed(deed) } else { 0 });
        }
        (Prompt::Aim(lead), Some(Frame::Group(group))) => {
            let members = group.members.with(lead);
            rate(&mut |answer| match answer {
                Answer::Aim { on: Some(on), veiled: false, .. } => together(at, members, on),
                // What was proposed is done.
                _ => -FIRST,
            });
        }
        (Prompt::Join { on, .. }, _) => {
            rate(&mut |answer| i32::from((answer == Answer::Yes) == on.is_some()))
        }
        (Prompt::Attribute(who), Some(Frame::Group(group))) => {
            rate(&mut |answer| if let Answer::Attribute(a) = answer { suits(at, group, who, a) } else { 0 });
        }
        (Prompt::Guard { .. }, Some(frame)) => {
            let without = struck(at, frame, None);
            rate(&mut |answer| match answer {
                Answer::Guard(who) => {
                    without
                        - struck(at, frame, Some(who))
                        - i32::from(at.rules.options.guard_cost) * point(at, who)
                        - THREAT
                }
                _ => 0,
            });
        }
        (Prompt::Judge(_), Some(Frame::Test(test))) => {
            let judge = Judge::of_test(at, test);
            rate(&mut |answer| match answer {
                Answer::Judge { light, truth } => judge.rate(test_result(at, test, (light, truth))),
                _ => 0,
            });
        }
        (Prompt::Judge(_), Some(Frame::Save(save))) => {
            let judge = Judge::of_save(at, save);
            rate(&mut |answer| match answer {
                Answer::Judge { light, truth } => judge.rate(save_result(at, save, (light, truth))),
                _ => 0,
            });
        }
        (Prompt::Truth(_), Some(Frame::Test(test))) => {
            let judge = Judge::of_test(at, test);
            rate(&mut |answer| {
                if let Answer::Truth(face) = answer { judge.of_group(at, test, face) } else { 0 }
            });
        }
        (Prompt::Essence { who, .. }, Some(Frame::Save(save))) => {
            let stand = Stand::of(at, &save.danger, save.on, who);
            rate(&mut |answer| match answer {
                Answer::Essence { essence, ability } => {
                    stand.loss_with(at, essence, ability).saturating_neg()
                }
                _ => 0,
            });
        }
        (Prompt::Harm { .. } | Prompt::Counter { .. }, Some(Frame::Harm(harm))) => {
            rate(&mut |answer| imposes(at, harm, answer));
        }
        (Prompt::CounterWhom { .. }, _) => rate(&mut |answer| match answer {
            Answer::Next(who) => 1 + i32::from(risk::counted(at, who)),
            _ => 0,
        }),
        (Prompt::Light(_), _) => {
            rate(&mut |answer| if let Answer::Light(face) = answer { face.into() } else { 0 })
        }
        (Prompt::Draw(who), _) => rate(&mut |answer| match answer {
            Answer::Draw { script, down } => draws(at, who, script, down),
            _ => 0,
        }),
        (Prompt::Fading(who), _) => {
            let tended =
                at.rules.is_pc(who) && at.state.present().iter().any(|other| at.state.allies(who, other));
            rate(&mut |answer| match answer {
                Answer::Tend => i32::from(tended),
                Answer::Yes => i32::from(!tended),
                _ => -1,
            });
        }
        // A fight gives the provoked another chance; nobody believes more than they must.
        (Prompt::Accept { finisher, .. }, _) => {
            let yes = finisher == Finisher::Provoke;
            rate(&mut |answer| i32::from((answer == Answer::Yes) == yes));
        }
        (Prompt::Scene, _) => rate(&mut |answer| floor(at, answer)),
        _ => rate(&mut |answer| fair(answer) + plain(answer)),
    }
}

/// What a fair gamemaster and a player do where nothing else speaks for it: the usual terms, what is reasonable.
fn plain(answer: Answer) -> i32 {
    match answer {
        Answer::Yes | Answer::EndScene | Answer::Close => 2,
        Answer::Weigh { stake: Stake::Moderate, paid: true } => 2,
        Answer::Settle { bold, faint, quick, long, favor, cl, .. } => {
            let usual = cl.is_none_or(|cl| cl as i8 == USUAL_LEVEL);
            i32::from(usual) - i32::from(bold | faint | quick | long) - i32::from(favor != 0)
        }
        Answer::Terms { bold, faint, quick, long, favor, form, .. } => {
            i32::from(form.is_some()) - i32::from(bold | faint | quick | long) - i32::from(favor != 0)
        }
        // Being stricken and afflicted costs most.
        Answer::Recover(marks) => marks.iter().map(weight_of).sum(),
        _ => 0,
    }
}

/// What the gamemaster does with the floor: a scene that is over ends, and no other.
fn floor(at: At<'_>, answer: Answer) -> i32 {
    let over = scene::is_decided_among_unbeaten(at.state)
        || scene::is_stale(at.state)
        || at.state.pcs(at.rules).is_empty();
    match answer {
        Answer::EndScene | Answer::Peace if over => FIRST,
        Answer::EndScene | Answer::Peace => -FIRST,
        Answer::Place { .. } => 0,
        _ => -10 * restraint(at.state, answer) - 1,
    }
}

/// What a script is worth that is drawn: those who have none are unarmed.
fn draws(at: At<'_>, who: Char, script: Item, down: Option<Item>) -> i32 {
    let gear = at.rules.gear(script);
    let armed = arms::power_boons(at, who, Form::Subtle).next().is_some();
    match (gear.category == Category::Power, down) {
        (true, None) if !armed => THREAT - if gear.impassioned { 5 } else { 0 },
        _ => -1,
    }
}

/// How reluctant a fair gamemaster and a good player are, in units of `worth`.
///
/// A gamemaster who makes everything harder than it is, calls dangers out of nowhere, picks at every
/// essence, never shows an attacker or has people test for trifles does not play well.
pub(crate) fn restraint(state: &State, answer: Answer) -> i32 {
    match (answer, state.top()) {
        // Where nothing more is tried, the scene ends; and nobody has prepared another.
        (Answer::EndScene | Answer::Begin(_), None) => 0,
        (_, None) if scene::is_stale(state) => 100,
        (Answer::NextScene, _) => 100,
        (Answer::Settle { favor, .. }, _) if favor > 0 => 30,
        (Answer::Terms { essence, favor, cl, .. }, Some(Frame::Danger(danger))) => {
            let usual = if danger.veiled { Essence::Mind } else { danger.essence };
            let level = cl.map_or(0, |cl| i32::from(cl) - 4);
            30 * i32::from(favor.max(0)) + 5 * level + if essence == usual { 0 } else { 20 }
        }
        (Answer::Danger(who), _) => 10 + 8 * who.len() as i32,
        (Answer::Assault { veiled: true, .. }, _) => 15,
        (Answer::AsTest | Answer::AsLongTest, _) => 30,
        (Answer::No, Some(Frame::Group(group))) if group.step == GroupStep::Confirm => 30,
        // Nobody fills a turn with trifles.
        (Answer::Deed(Deed::Other | Deed::Request(_)), _) => 2,
        (Answer::Deed(_), _) => 1,
        // Who has been beaten is not made to fight on.
        (Answer::Conflict(_), _) => 60 * scene::beaten(state).len() as i32,
        (Answer::Place { .. } | Answer::Dispose { .. }, _) => 20,
        (Answer::Settle { difficult: true, .. }, _) => 30,
        (Answer::Refuse, _) if state.form.is_some() => 10,
        _ => 0,
    }
}
