//! Emblems and pictures, drawn from names and words.

use fracas_art::{Emblem, Scene};
use fracas_kernel::About;
use fracas_systems::Encounter;
use maud::{Markup, PreEscaped, html};
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// Somebody's emblem. No other drawing of the page has this prefix.
///
/// It hangs on the name alone: nobody learns from it who else is at the table.
pub(super) fn emblem(name: &str, prefix: &str) -> Markup {
    PreEscaped(Emblem::of(name).svg(prefix))
}

/// The portraits of a table's people, by name: the id of each picture.
pub(super) type Portraits = BTreeMap<String, String>;

/// Somebody's portrait, or else the emblem. A portrait that is not on this server is taken out by the script,
/// and the emblem after it shows.
pub(super) fn portrait(portraits: &Portraits, name: &str, prefix: &str) -> Markup {
    html! {
        @if let Some(id) = portraits.get(name) { img .emblem.portrait src={ "/pictures/" (id) } alt=""; }
        (emblem(name, prefix))
    }
}

/// The picture of an encounter's place: its cover, or else drawn.
pub(super) fn picture(title: &str, about: &About, system: &str) -> Markup {
    match &about.cover {
        Some(id) => html! { img .scene src={ "/pictures/" (id) } alt=""; },
        None => drawn(title, about, system),
    }
}

/// The picture of an encounter's place as it is drawn from words.
pub(super) fn drawn(title: &str, about: &About, system: &str) -> Markup {
    PreEscaped(scene(title, about, system).svg())
}

/// The usual place of a system, for people who may not know the encounter's yet.
pub(super) fn ground(title: &str, system: &str) -> Markup {
    drawn(title, &About::default(), system)
}

/// The picture of a bundled encounter (`judge-two/salt-gate`) as a file; `None` if there is no such encounter.
pub(crate) fn cover(encounter: &str) -> Option<&'static str> {
    static COVERS: LazyLock<BTreeMap<String, String>> = LazyLock::new(|| {
        let all = fracas_systems::all()
            .iter()
            .flat_map(|system| fracas_systems::encounters(system).unwrap_or_default());
        let cover = |encounter: Encounter| {
            let svg = scene(&encounter.title, &encounter.about, encounter.system).svg();
            let svg = svg.replacen("<svg", "<svg xmlns=\"http://www.w3.org/2000/svg\"", 1);
            (format!("{}/{}", encounter.system, encounter.id), svg)
        };
        all.map(cover).collect()
    });
    COVERS.get(encounter).map(String::as_str)
}

/// As the encounter's line of words says, else as its summary does, else the system's usual place.
fn scene(title: &str, about: &About, system: &str) -> Scene {
    match about.picture.as_str() {
        "" => Scene::summary(&about.summary, fracas_systems::ground(system), title),
        line => Scene::written(line, title),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_bundled_encounter_has_a_cover() {
        for system in fracas_systems::all() {
            for encounter in fracas_systems::encounters(system).expect("bundled content") {
                let About { opening, picture, minutes, .. } = &encounter.about;
                assert!(!opening.is_empty() && !picture.is_empty() && minutes.is_some(), "{}", encounter.id);
                let cover = cover(&format!("{}/{}", system.id, encounter.id)).expect("a cover");
                assert!(cover.starts_with("<svg xmlns=") && cover.len() < 10_000, "{}", encounter.id);
            }
            assert_eq!(cover(&format!("{}/nothing-of-the-kind", system.id)), None);
        }
        assert_eq!(cover("nothing/salt-gate"), None);
    }
}
