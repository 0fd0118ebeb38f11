//! The moment: the asks, and whom they are for.

use super::ask::{self, Opened};
use super::words::{self, and, capital, names};
use super::{board, odds, overrule, people, rules};
use crate::markdown;
use fracas_kernel::{AskInfo, Dice, Duty, Fared, Now, RollInfo, Seat, Seen, Told, Viewer, form::Form};
use fracas_live::{clock::Waited, glance::Glance, hall};
use fracas_table::SeenBy;
use maud::{Markup, PreEscaped, html};

/// The viewer's asks, or what the table waits for.
pub(crate) fn moment(glance: &Glance<'_>, opened: Opened<'_>) -> Markup {
    let paused = glance.around.settings.paused;
    html! {
        (about(glance))
        @if glance.leads() {
            (knocks(glance))
            @if !glance.is_over() { (to_invite(glance)) }
        }
        @if glance.around.unbegun { p .soft .center role="status" { "The machine begins when the first player is in." } }
        @if paused { (pause(glance)) }
        @if let Some(next) = &glance.around.settings.next {
            p .onward {
                a .button .go href={ "/t/" (next) } { "We go on at another table" } " "
                span .soft { "If you have no place there, ask " (glance.name(Seat::Gm)) " for a link." }
            }
        }
        (machined(glance))
        @if let Some(seat) = glance.around.stuck { (stuck(glance, seat)) }
        @if glance.who.is_gm() && glance.around.held && !glance.around.settings.bots.is_empty() {
            form .row .holding method="post" action={ (glance.base()) "/go-on" } data-act {
                span { "Something was taken back: the machine waits until somebody acts." }
                button { "Let it go on" }
            }
        }
        // A half-filled form stays as it is while play is paused.
        fieldset .play disabled[paused] aria-label="What is asked" data-keep="play" {
            @match glance.now() {
                Now::Over => (over(glance)),
                Now::Roll(roll) => (dice_due(glance, &roll)),
                Now::Asks(asks) => (asked(glance, &asks, opened)),
            }
        }
        (super::tools::at_hand(glance))
    }
}

/// Whom this viewer plays, and what the encounter is about. It is folded once something has
/// happened.
fn about(glance: &Glance<'_>) -> Markup {
    let player = glance.seat().filter(|seat| *seat != Seat::Gm);
    let sits = player.and_then(|seat| glance.table.log().cast().into_iter().find(|sits| sits.seat == seat));
    let encounter = words::about(glance.table, glance.who);
    let begins = encounter.begins();
    html! {
        @let plays = sits.map(|sits| sits.plays).unwrap_or_default();
        @if !plays.is_empty() || begins.is_some() {
            div .you {
                @if let Some(name) = plays.first() {
                    (super::scenery::portrait(&glance.table.log().header().portraits(), name, "you"))
                    p { "You play " b { (names(&plays)) } }
                }
                @match begins {
                    Some(words) if glance.lately.is_empty() => p .about dir="auto" { (words) },
                    Some(words) => details data-keep="about" { summary { "What this is about" } p dir="auto" { (words) } },
                    None => {},
                }
                @if player.is_some() {
                    details data-keep="primer" { summary { "New here?" } (super::door::primer(glance.table.system())) }
                }
            }
        }
    }
}

/// The people at the door, each with the role they come for.
fn knocks(glance: &Glance<'_>) -> Markup {
    let waiting = glance.around.knocking;
    let called = |role: Viewer| match role {
        Viewer::Spectator => "somebody who watches".to_owned(),
        Viewer::Seat(Seat::Gm) => glance.name(Seat::Gm),
        Viewer::Seat(seat) => {
            let cast = glance.table.log().cast().into_iter().find(|cast| cast.seat == seat);
            cast.map_or_else(|| glance.name(seat), |cast| cast.part())
        }
    };
    html! {
        @if !waiting.is_empty() {
            section .knocks data-keep="knocks" role="status" aria-label="At the door" {
                p .kicker { "At the door" }
                (people::at_door(&glance.base(), people::Decided::AtTable, waiting, called))
            }
        }
    }
}

/// The invitations of the players who are not here.
fn to_invite(glance: &Glance<'_>) -> Markup {
    let is_missing = |seat: &Seat| {
        *seat != Seat::Gm
            && Some(*seat) != glance.seat()
            && !glance.around.settings.bots.contains_key(seat)
            && !glance.around.present.contains_key(&Viewer::Seat(*seat))
    };
    let seats = glance.table.game().seats();
    let missing: Vec<Seat> = seats.iter().map(|info| info.seat).filter(is_missing).collect();
    let missing: Vec<String> = missing.iter().map(|seat| glance.name(*seat)).collect();
    html! {
        @if !missing.is_empty() {
            // Once play goes on they stand below what is asked; links that were made stay as they are.
            @let begun = !glance.lately.is_empty();
            details .invite .later[begun || glance.around.settings.paused] data-keep="invite" open[!begun] {
                summary { "Not here yet: " (names(&missing)) }
                form method="post" action={ (glance.base()) "/links" } data-links {
                    input type="hidden" name="role" value="players";
                    button .go name="kind" value="invite" { "Invite: a link for each" } " "
                    a .button href={ (glance.base()) "/people" } { "People and links" }
                }
                // The script shows the links here; without it they are on a page of their own.
                div .made data-own="links" role="status" {}
            }
        }
    }
}

fn pause(glance: &Glance<'_>) -> Markup {
    html! {
        section .ask .paused data-keep="paused" {
            p .kicker { "Paused" }
            h2 { "Somebody wants a pause." }
            p .soft {
                "Take the time you need. Nothing happens at the table until "
                @if glance.leads() { "you resume." }
                @else if let Some(host) = glance.around.settings.host { bdi { (capital(&glance.name(host))) } " resumes." }
                @else { (glance.name(Seat::Gm)) " resumes." }
            }
            @if glance.leads() {
                form method="post" action={ (glance.base()) "/resume" } data-act { button .go { "Resume" } }
            }
        }
    }
}

/// That the machine plays this viewer's own seat, and how to take the seat back.
fn machined(glance: &Glance<'_>) -> Markup {
    let seat = glance.seat().filter(|seat| glance.around.settings.bots.contains_key(seat));
    html! {
        @if let Some(seat) = seat {
            @let whom = match seat {
                Seat::Gm => glance.name(seat),
                _ => {
                    let sits = glance.table.log().cast().into_iter().find(|sits| sits.seat == seat);
                    sits.map_or_else(|| glance.name(seat), |sits| sits.part())
                }
            };
            form #machined .row .holding method="post" action={ (glance.base()) "/bot" } data-act data-whom=(whom) {
                input type="hidden" name="seat" value=(seat);
                span { "The machine plays " b { bdi { (whom) } } " for you." }
                button name="on" value="no" { "Take it back" }
            }
        }
    }
}

fn stuck(glance: &Glance<'_>, seat: Seat) -> Markup {
    html! {
        @if glance.who.is_gm() {
            p .refusal { "The machine goes round in circles as " bdi { (glance.name(seat)) } ": answer for it once, or settle it by hand." }
        } @else if glance.leads() {
            p .refusal { "The machine goes round in circles as " bdi { (glance.name(seat)) } ": let it go on, or give the seat to a person." }
        }
    }
}

/// How play ended for everybody, as far as this viewer may know.
fn over(glance: &Glance<'_>) -> Markup {
    let base = glance.base();
    let ending = glance.table.game().ending(glance.who);
    let fared = |title: &str, prefix: &str, all: &[Fared]| {
        html! {
            @if !all.is_empty() {
                h3 .kicker { (title) }
                @for (n, side) in all.chunk_by(|a, b| a.side == b.side).enumerate() {
                    p .soft { (capital(&side[0].side)) }
                    ul class={ "fared " (prefix) } {
                        @for (at, Fared { name, how, .. }) in side.iter().enumerate() {
                            li {
                                (super::scenery::emblem(name, &format!("{prefix}-{n}-{at}")))
                                span { b { bdi { (name) } } @if !how.is_empty() { " " span .soft { (how) } } }
                            }
                        }
                    }
                }
            }
        }
    };
    html! {
        section .ask .ending data-keep="ending" {
            p .kicker { "The end" }
            // Everybody first wants to know which side has won.
            h2 { "It is over." @if let Some(result) = ending.result() { " " (result) } }
            (fared("Who stands", "stands", &ending.standing))
            (fared(ending.beaten.unwrap_or("Who is out"), "fell", &ending.fallen))
            @if !ending.lying.is_empty() {
                h3 .kicker { "What lies about" }
                ul { @for thing in &ending.lying { li { bdi { (thing) } } } }
                @if glance.who.is_gm() { p .soft { "To take something along, have it put into a character's hands (Overrule) before another evening." } }
            }
            p .row {
                @if glance.who.is_gm() && glance.goes_on() {
                    a .button .go href={ (base) "/next" } { "Another evening" }
                }
                a .button href={ (base) "/story" } { "Read the story" }
                @if glance.sees_turns() { a .button href={ (base) "/turns" } { "Where it turned" } }
                a .button href="/" { "Your tables, and other fights" }
            }
            // The script loads the chart of the story's page here.
            div data-own="chart" data-chart={ (base) "/story" } {}
        }
        (lately(glance))
    }
}

/// The latest lines, for a viewer with nothing to do; these include the results of their own
/// answer.
fn lately(glance: &Glance<'_>) -> Markup {
    html! {
        @if !glance.lately.is_empty() {
            section .lately data-keep="lately" aria-label="What has just happened" {
                h3 .kicker { "Just now" }
                ol { @for line in glance.lately { (PreEscaped(line)) } }
            }
        }
    }
}

/// The words of others, and the dice that led to the ask. Words that the question itself
/// repeats are left out.
fn before(glance: &Glance<'_>, ask: Option<&AskInfo>) -> Markup {
    let words = ask.and_then(|ask| glance.words(ask.id)).map(|words| markdown::render(words).into_string());
    let is_told = |line: &&String| !words.as_ref().is_some_and(|words| line.contains(words.as_str()));
    let spoken: Vec<&String> = glance.spoken.iter().filter(is_told).collect();
    html! {
        @if !spoken.is_empty() || !glance.thrown.is_empty() {
            section .lately .thrown data-keep="thrown" aria-label="What was said and thrown" {
                ol {
                    @for line in spoken { (PreEscaped(line)) }
                    @for line in glance.thrown { (PreEscaped(line)) }
                }
            }
        }
    }
}

fn dice_due(glance: &Glance<'_>, roll: &RollInfo) -> Markup {
    let table = glance.table;
    if !SeenBy::from(roll.seen).by(glance.who) {
        // This viewer must not learn that dice fall, nor how many.
        return html! {
            section .ask .idle { p .kicker { "The table waits" } h2 { "For " (glance.name(Seat::Gm)) "." } }
            (lately(glance))
        };
    }
    let may = match glance.seat() {
        // The machine throws the dice of its own seats.
        Some(Seat::Gm) => !glance.around.settings.bots.contains_key(&roll.whose),
        Some(seat) => roll.whose == seat || roll.whose == Seat::Chance,
        None => false,
    };
    let prompt = table.game().roll_told(glance.who);
    let mine = glance.is_due();
    let kept = table.kept_faces().is_some();
    html! {
        @if mine { (before(glance, None)) }
        section .ask .mine[mine] data-keep=[glance.roll.map(|roll| format!("roll-{roll}"))] tabindex=[mine.then_some("-1")] aria-label="Dice" {
            p .kicker { @if mine { "Your dice" } @else { "Dice" } }
            @if !prompt.text.is_empty() { h2 dir="auto" { (prompt.text) } } @else { h2 { "Dice are due." } }
            (leads(glance, &prompt))
            (until(glance, Waited::roll(table), [roll.whose].into_iter()))
            @if may {
                @if roll.seen != Seen::Openly { p .soft { "They fall in secret." } }
                @let throw = html! {
                    form .throw method="post" action={ (glance.base()) "/throw" } data-act {
                        input type="hidden" name="roll" value=[glance.roll];
                        button .go[mine] autofocus[mine] { "Throw " (roll.dice) }
                        @if kept { p .soft { "This roll was thrown before and taken back: it shows the same faces again." } }
                    }
                };
                // Nobody throws another's dice by one press too many.
                @if mine { (throw) } @else {
                    p .soft { "They are for " bdi { (glance.name(roll.whose)) } " to throw." }
                    details data-keep="instead" { summary { "Throw them yourself" } (throw) }
                }
                details .typed data-keep="typed" {
                    summary { "Real dice: type what they show" }
                    form method="post" action={ (glance.base()) "/throw" } data-act {
                        input type="hidden" name="roll" value=[glance.roll];
                        // A number pad has no space: digits alone do where each face has
                        // one, or a point or comma between.
                        @let (shown, short) = example(&roll.dice);
                        @let pad = if short.is_some() { "numeric" } else { "decimal" };
                        label { (roll.dice) ", in this order: " (shown) @if let Some(short) = short { ", or " (short) }
                            input name="faces" inputmode=(pad) autocomplete="off" required pattern="[0-9 ,.]+" maxlength="1000"; }
                        button { "Take these dice" }
                    }
                }
            } @else {
                p .soft { "The table waits for " bdi { (glance.name(roll.whose)) } " to throw." }
            }
            @if let Some(odds) = table.game().roll_odds(glance.who) {
                div .chances { h3 .kicker { "Chances" } (odds::bars(&odds)) }
            }
        }
        @if !mine { (lately(glance)) }
    }
}

/// Up to this many dice, the example shows every face.
const EXAMPLE: usize = 5;

/// An example of typed faces, and its short form with one digit a face where that is
/// allowed.
fn example(dice: &Dice) -> (String, Option<String>) {
    let sides: Vec<u8> = dice.sides().collect();
    let faces: Vec<String> = sides.iter().map(|sides| sides.saturating_sub(1).max(1).to_string()).collect();
    match faces.as_slice() {
        [] | [_] => ("the number it shows".to_owned(), None),
        many if many.len() > EXAMPLE => (format!("{} …", many[..EXAMPLE].join(" ")), None),
        few => (few.join(" "), sides.iter().all(|sides| *sides < 10).then(|| few.concat())),
    }
}

fn asked(glance: &Glance<'_>, asks: &[AskInfo], opened: Opened<'_>) -> Markup {
    let seat = glance.seat();
    let is_mine = |ask: &&AskInfo| seat.is_some_and(|seat| glance.awaited(ask).contains(&seat));
    let (mine, others): (Vec<&AskInfo>, Vec<&AskInfo>) = asks.iter().partition(is_mine);
    let holding = glance.holding(asks);
    let holds = |ask: &&AskInfo| holding.iter().any(|(held, _)| held.id == ask.id);
    let (held, free): (Vec<&AskInfo>, Vec<&AskInfo>) = mine.iter().partition(|ask| holds(ask));
    // Asks that play does not wait for are folded.
    let (shown, folded): (Vec<&AskInfo>, Vec<&AskInfo>) = match held.split_first() {
        Some((first, rest)) => (vec![first], rest.iter().chain(&free).copied().collect()),
        None => (Vec::new(), free),
    };
    html! {
        @if let Some(ask) = shown.first() { (before(glance, Some(ask))) }
        @for ask in &shown { (form(glance, ask, None, opened)) }
        @if shown.is_empty() { (waits(glance, &holding, !folded.is_empty())) }
        @for ask in &folded {
            // A single ask stands open, unless it has a single answer: nobody gives that by the way.
            @let alone = shown.is_empty() && folded.len() == 1 && ask::only(glance.table, glance.who, ask.id).is_none();
            details .other open[alone] data-keep={ "ask-" (glance.called(ask.id).unwrap_or_default()) } {
                summary { (title(glance, ask)) }
                (form(glance, ask, None, opened))
            }
        }
        @if glance.who.is_gm() { (for_others(glance, &others, opened)) }
    }
}

fn title(glance: &Glance<'_>, ask: &AskInfo) -> String {
    let prompt = glance.table.game().ask_told(ask.id, glance.who).unwrap_or_default();
    capital(&prompt.text)
}

/// Asks of other seats, which the gamemaster may answer if their players are away.
fn for_others(glance: &Glance<'_>, others: &[&AskInfo], opened: Opened<'_>) -> Markup {
    html! {
        @for ask in others {
            @let waited = glance.awaited(ask);
            @if let Some(first) = waited.first() {
                @let whom: Vec<String> = waited.iter().map(|seat| glance.name(*seat)).collect();
                details .other data-keep={ "ask-" (glance.called(ask.id).unwrap_or_default()) } {
                    summary { b { bdi { (capital(&and(&whom))) } } ": " bdi { (title(glance, ask)) } }
                    p .soft { "Answer for them where they are away; the log says so." }
                    (form(glance, ask, Some(*first), opened))
                }
            }
        }
    }
}

/// What the table waits for. `may` says that this viewer may act anyway.
fn waits(glance: &Glance<'_>, holding: &[(&AskInfo, Vec<Seat>)], may: bool) -> Markup {
    html! {
        section .ask .idle {
            p .kicker { "The table waits" }
            @for (ask, seats) in holding {
                h2 { "For " (waited(glance, ask, seats)) "." }
                (until(glance, Waited::Ask(ask.id), seats.iter().copied()))
            }
            @if may { p { "Meanwhile you may act, below." } }
        }
        (lately(glance))
    }
}

/// The seats that an ask waits for, and what they are to do.
pub(super) fn waited(glance: &Glance<'_>, ask: &AskInfo, seats: &[Seat]) -> Markup {
    let whom: Vec<String> = seats.iter().map(|seat| glance.name(*seat)).collect();
    // The kind alone: the words of an ask belong to the seats it is for.
    let what = glance.table.system().awaited(glance.table.game().waits(ask.id, glance.who));
    html! { (names(&whom)) @if let Some(what) = what { " " (what) } }
}

/// The deadline for players who let the table wait for this.
fn until(glance: &Glance<'_>, what: Waited, whom: impl Iterator<Item = Seat>) -> Markup {
    html! {
        @if let Some(until) = glance.until(what, whom) {
            p .soft .until { "The table waits until " time datetime=(hall::moment(until)) data-until=(until) { (hall::moment(until)) } "." }
        }
    }
}

fn leads(glance: &Glance<'_>, prompt: &Told) -> Markup {
    html! {
        @if !prompt.leads.is_empty() || prompt.clause.is_some() {
            p .terms dir="auto" {
                (prompt.leads)
                @if let Some(clause) = prompt.clause {
                    " " (rules::link(glance.table.system(), clause.id(), "the rule"))
                }
            }
        }
    }
}

/// One ask with its answers. `of` is the seat that the gamemaster answers for.
fn form(glance: &Glance<'_>, info: &AskInfo, of: Option<Seat>, opened: Opened<'_>) -> Markup {
    let table = glance.table;
    let prompt = table.game().ask_told(info.id, glance.who).unwrap_or_default();
    let called = glance.called(info.id).unwrap_or_default();
    let said = table.game().said(info.id);
    let viewer = of.map_or(glance.who, |_| Viewer::Seat(Seat::Gm));
    let words = glance.words(info.id).filter(|_| of.is_none());
    let only = ask::only(table, viewer, info.id);
    let path = opened.filter(|(ask, _)| *ask == called).map_or(&ask::TOP, |(_, path)| path);
    html! {
        // Several seats may have the same ask: the label then names the seat.
        @let label = match of {
            Some(seat) => format!("{}: {}", capital(&glance.name(seat)), capital(&prompt.text)),
            None => capital(&prompt.text),
        };
        section .ask .mine[of.is_none()] tabindex=[of.is_none().then_some("-1")] data-keep={ "form-" (called) } aria-label=(label) {
            p .kicker { (info.kind.replace('-', " ")) @if info.duty == Duty::May { ", if you like" } }
            h2 dir="auto" { (capital(&prompt.text)) }
            @if let Some(words) = words { div .quoted dir="auto" { (markdown::render(words)) } }
            (leads(glance, &prompt))
            @for (seat, answer) in &said {
                @let words = table.game().preview(info.id, answer, glance.who).map(|preview| preview.text);
                p .soft { bdi { (capital(&glance.name(*seat))) } " has said: " bdi { (words.unwrap_or_else(|_| answer.clone())) } ". It counts once all agree." }
            }
            (until(glance, Waited::Ask(info.id), info.who.seats().iter()))
            form .answer method="post" action={ (glance.base()) "/answer" } data-act {
                input type="hidden" name="ask" value=(called);
                @if let Some(seat) = of { input type="hidden" name="of" value=(seat); }
                (board::tray(table, viewer, info.id, called))
                fieldset .choices data-choices-of=(called) {
                    legend .sr { (capital(&prompt.text)) }
                    (ask::choices(&glance.base(), (table, viewer), (info.id, called), path))
                }
                div .deed {
                    label .words {
                        span .does { "What do you do?" }
                        span .looks .sr { "How does it look? It goes into the story." }
                        textarea name="text" rows="1" maxlength="4000" autocomplete="off" enterkeyhint="send" data-enter placeholder="How does it look?" {}
                    }
                    label .aloud { input type="checkbox" name="aloud" value="yes"; "I say it aloud" }
                    button .go { @match &only { Some(only) => (capital(&only.told.text)), None => "Do it" } }
                }
            }
            @if of.is_none() { (from_now_on(glance, info)) }
        }
    }
}

/// The standing replies that would answer this ask, beside it: a player who is asked the
/// same again finds them here.
fn from_now_on(glance: &Glance<'_>, info: &AskInfo) -> Markup {
    let game = glance.table.game();
    let forms = game.standing_forms();
    let stands = |reply: &str| glance.seat().is_some_and(|seat| game.stands_by(seat, reply));
    let would: Vec<&Form> = forms
        .iter()
        .zip(game.standings())
        .filter(|(form, (reply, _))| form.fields.is_empty() && game.would_stand(info.id, reply))
        .filter(|(_, (reply, _))| !stands(reply))
        .map(|(form, _)| form)
        .collect();
    html! {
        @if !would.is_empty() {
            div .ever { (overrule::standing(&glance.base(), &would, &[], true)) }
        }
    }
}

/// The viewer's asks, to be read aloud when the moment changes.
pub(crate) fn calls(glance: &Glance<'_>) -> String {
    if glance.around.settings.paused {
        return "The table is paused.".to_owned();
    }
    if !glance.is_due() {
        return String::new();
    }
    match glance.now() {
        Now::Over => String::new(),
        Now::Roll(roll) => format!("Your dice: throw {}.", roll.dice),
        Now::Asks(asks) => {
            let titles: Vec<String> = mine(glance, &asks).map(|ask| title(glance, ask)).collect();
            format!("You are asked: {}", titles.join(" Or: "))
        }
    }
}

/// The viewer's names for what [`calls`] reads aloud.
pub(crate) fn calls_of(glance: &Glance<'_>) -> Vec<String> {
    match glance.now() {
        _ if glance.around.settings.paused || !glance.is_due() => Vec::new(),
        Now::Over => Vec::new(),
        Now::Roll(_) => glance.roll.iter().map(|name| (*name).to_owned()).collect(),
        Now::Asks(asks) => {
            mine(glance, &asks).filter_map(|ask| glance.called(ask.id)).map(str::to_owned).collect()
        }
    }
}

/// The asks that wait for the viewer.
fn mine<'a>(glance: &'a Glance<'_>, asks: &'a [AskInfo]) -> impl Iterator<Item = &'a AskInfo> {
    let seat = glance.seat();
    asks.iter().filter(move |ask| seat.is_some_and(|seat| glance.awaited(ask).contains(&seat)))
}
