//! The game in words: answers with what they lead to, events, cards.

use crate::{At, Template, answer::Answer, event::Event, fiat, stage, table::*, view};
use fracas_kernel::{
    Came, Card, Ending, Fallen, Happened, Meter, Part, Slot, Stage, Tag, TagShape, Told, Tone, Viewer, Words,
    form::Form,
};

impl Words for Template {
    fracas_kernel::asking!(Words);

    fn answer(rules: &Rules, state: &State, _: Slot, answer: &Answer, _: Viewer) -> Told {
        match *answer {
            Answer::Walk => Told::new("walk").leads("goes one pace").why(clause!("cross.walk")),
            Answer::Run => Told::new("run")
                .leads("rolls a die: up to so many paces, or a fall on a 1")
                .why(clause!("cross.run")),
            Answer::DriveOff(beast) => Told::new(format!("drive {} off", rules.beasts[beast.index()].name))
                .leads("it is in the way no more")
                .why(clause!("beast.drive-off")),
            Answer::Go(paces) => Told::new(format!("run {}", so_far(rules, state, paces)))
                .leads("meets what lies on the way")
                .why(clause!("cross.stop")),
        }
    }

    fn parts(rules: &Rules, state: &State, _: Slot, answer: &Answer, _: Viewer) -> Vec<Part> {
        match *answer {
            Answer::Walk => vec![Part::what("walk")],
            Answer::Run => vec![Part::what("run")],
            Answer::DriveOff(beast) => {
                let whom = Part::whom(rules.beasts[beast.index()].name.as_str()).at(&beast);
                vec![Part::what("drive off"), whom]
            }
            Answer::Go(paces) => vec![Part::what("run"), Part::how_much(so_far(rules, state, paces))],
        }
    }

    fn came(_: &Rules, fallen: &Fallen<'_, Self>, _: Viewer) -> Option<Came> {
        let (rank, tone, text) = match fallen.after.run.most() {
            0 => (0, Tone::Bad, "a fall".into()),
            most => (most.into(), Tone::Good, format!("a run of up to {most}").into()),
        };
        Some(Came { rank, tone, text, besides: None })
    }

    fn event(rules: &Rules, state: &State, event: &Event, who: Viewer) -> Option<Told> {
        Some(event.told(At { rules, state }, who))
    }

    fn overrules(event: &Event) -> bool {
        matches!(event, Event::Placed { .. } | Event::Lurks { .. })
    }

    fn roll_told(rules: &Rules, state: &State, _: Viewer) -> Told {
        let runner = state.turn(rules).map_or("Nobody", |who| &rules.cast[who.index()].name);
        Told::new(format!("{runner} runs")).why(clause!("cross.run"))
    }

    fn cards(rules: &Rules, state: &State, who: Viewer) -> Vec<Card> {
        let card = |id: &str, title: &str, group: &str| Card {
            id: id.to_owned(),
            title: title.to_owned(),
            group: group.to_owned(),
            ..Card::default()
        };
        let meter = |label: &str, value: u8, most: u8| Meter {
            label: label.to_owned(),
            value: value.into(),
            most: most.into(),
            alarm: None,
        };
        let out =
            || Tag { text: "out".to_owned(), shape: TagShape::Lasting, clause: Some(clause!("cross.out")) };
        let walkers = rules.everybody().map(|one| {
            let (sheet, Walker { pace, strength }) = (&rules.cast[one.index()], state.walker(one));
            Card {
                meters: vec![meter("pace", pace, rules.paces), meter("strength", strength, STRONGEST)],
                tags: (strength == 0).then(out).into_iter().collect(),
                ..card(&sheet.slug, &sheet.name, "your side")
            }
        });
        let beasts = rules.every_beast().filter(|&beast| view::sees(state, beast, who)).map(|beast| {
            let sheet = &rules.beasts[beast.index()];
            let note = view::place_of(state.lair(beast));
            Card { note, ..card(&sheet.slug, &sheet.name, "theirs") }
        });
        let briefing = rules.roster.briefing_card().filter(|_| who.is_gm());
        std::iter::once(card("", &rules.roster.title, "scene"))
            .chain(walkers)
            .chain(beasts)
            .chain(briefing)
            .collect()
    }

    fn ending(rules: &Rules, state: &State, who: Viewer) -> Ending {
        Ending::of(&Self::cards(rules, state, who), |card| !card.tags.is_empty())
    }

    fn stage(rules: &Rules, state: &State, who: Viewer) -> Stage {
        stage::stage(At { rules, state }, who)
    }

    fn fiats() -> &'static [(&'static str, &'static str)] {
        fiat::EXAMPLES
    }

    fn fiat_forms(rules: &Rules, state: &State) -> Vec<Form> {
        fiat::forms(At { rules, state })
    }
}

/// How far so many paces bring the runner.
fn so_far(rules: &Rules, state: &State, paces: u8) -> String {
    let from = state.turn(rules).map_or(0, |who| state.walker(who).pace);
    format!("to pace {}", rules.paces.min(from + paces))
}
