//! Emblems and pictures, drawn from names and words.

use fracas_art::{Emblem, Scene};
use maud::{Markup, PreEscaped};

/// Somebody's emblem. `place` tells it from other drawings of the same emblem on the page.
///
/// It hangs on the name alone: nobody learns from it who else is at the table.
pub(super) fn emblem(name: &str, place: &str) -> Markup {
    PreEscaped(Emblem::of(name).svg(&format!("{place}-{}", super::ask::mark(name))))
}

/// The picture of an encounter.
pub(super) fn picture(title: &str, about: &str, system: &str) -> Markup {
    PreEscaped(scene(title, about, system).svg())
}

/// The picture of a bundled encounter (`judge-two/salt-gate`) as a file; `None` if there is no such encounter.
pub(crate) fn cover(encounter: &str) -> Option<String> {
    let (system, encounter) = encounter.split_once('/')?;
    let system = fracas_systems::find(system)?;
    let all = fracas_systems::encounters(system).ok()?;
    let encounter = all.into_iter().find(|one| one.id == encounter)?;
    let svg = scene(&encounter.title, &encounter.summary, system.id).svg();
    Some(svg.replacen("<svg", "<svg xmlns=\"http://www.w3.org/2000/svg\"", 1))
}

fn scene(title: &str, about: &str, system: &str) -> Scene {
    Scene::summary(about, fracas_systems::ground(system), title)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_bundled_encounter_has_a_cover() {
        for system in fracas_systems::all() {
            for encounter in fracas_systems::encounters(system).expect("bundled content") {
                let cover = cover(&format!("{}/{}", system.id, encounter.id)).expect("a cover");
                assert!(cover.starts_with("<svg xmlns=") && cover.len() < 10_000, "{}", encounter.id);
            }
            assert_eq!(cover(&format!("{}/nothing-of-the-kind", system.id)), None);
        }
        assert_eq!(cover("nothing/salt-gate"), None);
    }
}
