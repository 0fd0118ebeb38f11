//! `fracas new`: something to begin one's own from.

use crate::{
    args::NewArgs,
    files, program, rulebook,
    screen::{KEY, PLAIN, STRONG, Screen, Text},
    stop::{Ended, Stop},
};
use fracas_kernel::{Document, System};

/// Writes a template.
pub(crate) fn run(args: &NewArgs, screen: &mut Screen) -> Ended {
    let stated = args.system.as_deref().map(rulebook::system).transpose()?;
    let Some(kind) = &args.kind else { return list(stated, screen) };
    let (system, text) = template(stated, kind)?;
    let Some(path) = &args.output else { return Ok(screen.raw(text)?) };
    files::write(path, text, args.force)?;
    let file = path.display().to_string();
    let told = format!("{file}: {kind}, for {}. When you have filled it in:", (system.rulebook)().title);
    screen.tell(PLAIN, &told)?;
    let check = format!("{} check {}", program::command(), program::quoted(&file));
    // An encounter says its system itself.
    let said = Document::toml(&file, text)?.named_system().is_some();
    let system = if said { String::new() } else { format!(" --system {}", system.id) };
    Ok(screen.raw(&format!("  {check}{system}"))?)
}

/// The template of a kind, of the only system that has one where none is said.
fn template(stated: Option<System>, kind: &str) -> Result<(System, &'static str), Stop> {
    let systems = || fracas_systems::all().iter().filter(|s| stated.is_none_or(|stated| stated.id == s.id));
    let found: Vec<(System, &str)> = systems()
        .filter_map(|system| {
            let (_, text) = (system.templates)().iter().find(|(there, _)| *there == kind)?;
            Some((*system, *text))
        })
        .collect();
    match found[..] {
        [one] => Ok(one),
        [] => {
            let mut kinds: Vec<&str> =
                systems().flat_map(|system| (system.templates)()).map(|(kind, _)| *kind).collect();
            kinds.sort_unstable();
            kinds.dedup();
            Err(Stop::bad(format!("there is no template of {kind:?}: there are {}", kinds.join(", "))))
        }
        _ => {
            let ids: Vec<&str> = found.iter().map(|(system, _)| system.id).collect();
            Err(Stop::bad(format!("of which system? Say --system {}", ids.join(" or "))))
        }
    }
}

/// Lists what there is to begin from.
fn list(stated: Option<System>, screen: &mut Screen) -> Ended {
    let systems: Vec<&System> =
        fracas_systems::all().iter().filter(|s| stated.is_none_or(|stated| stated.id == s.id)).collect();
    let other = |kind: &str, system: &System| {
        fracas_systems::all()
            .iter()
            .any(|other| other.id != system.id && (other.templates)().iter().any(|(there, _)| *there == kind))
    };
    for system in systems {
        screen.say(&Text::of(STRONG, (system.rulebook)().title).and(PLAIN, format!(" ({})", system.id)))?;
        for (kind, _) in (system.templates)() {
            let which = if other(kind, system) { format!(" --system {}", system.id) } else { String::new() };
            let command = format!("{} new {kind}{which} -o FILE", program::command());
            screen.hang(&Text::of(KEY, format!("  {kind} ")), 18, &Text::plain(command))?;
        }
    }
    Ok(())
}
