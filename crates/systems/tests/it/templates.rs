//! What people begin their own from.

use fracas_kernel::{Document, Setup, System};

/// No fault is found in a template's text.
#[track_caller]
fn check(system: &System, kind: &str, text: &str, what: &str) {
    let document = Document::toml(kind, text).unwrap_or_else(|faults| panic!("{what}: {faults}"));
    let bundled = fracas_systems::library(system).unwrap_or_else(|faults| panic!("{faults}"));
    let found = if kind == "encounter" {
        (system.start)(&Setup { encounter: document, library: bundled }).map(drop)
    } else {
        let nothing = Document::json("nothing", &serde_json::json!({}));
        let library = std::iter::once(document).chain(bundled).collect();
        (system.library)(&Setup { encounter: nothing, library })
    };
    found.unwrap_or_else(|faults| panic!("{} {kind}, {what}: {faults}", system.id));
}

fn each(mut with: impl FnMut(&System, &str, &str)) {
    for system in fracas_systems::all() {
        for (kind, text) in (system.templates)() {
            with(system, kind, text);
        }
    }
}

/// A field or a table's head behind `# `.
fn commented(line: &str) -> Option<&str> {
    let field = line.strip_prefix("# ").filter(|rest| !rest.starts_with(' '))?;
    let name = field.split(" = ").next().filter(|name| name.len() < field.len());
    let name = name.filter(|name| name.bytes().all(|b| b.is_ascii_lowercase() || b"-_".contains(&b)));
    let head = field.starts_with('[') && field.ends_with(']');
    (name.is_some() || head).then_some(field)
}

#[test]
fn no_fault_is_found_in_a_template() {
    each(|system, kind, text| check(system, kind, text, "as it stands"));
}

#[test]
fn whatever_is_commented_out_may_be_used() {
    let mut tried = 0;
    each(|system, kind, text| {
        let lines: Vec<&str> = text.lines().collect();
        for (at, line) in lines.iter().enumerate() {
            let Some(field) = commented(line) else { continue };
            let head = field.starts_with('[');
            let under =
                lines[..at].iter().rev().map_while(|line| commented(line)).any(|f| f.starts_with('['));
            if under {
                continue;
            }
            // A head brings with it what stands right below.
            let most = if head { lines.len() } else { at + 1 };
            let mut used: Vec<&str> = lines[..at].to_vec();
            let below: Vec<&str> = lines[at..most].iter().map_while(|line| commented(line)).collect();
            used.extend(&below);
            used.extend(&lines[at + below.len()..]);
            check(system, kind, &used.join("\n"), line);
            tried += 1;
        }
    });
    assert!(tried > 20, "only {tried} fields were found");
}

#[test]
fn a_template_is_no_wider_than_a_screen() {
    each(|_, kind, text| {
        for line in text.lines().filter(|line| line.starts_with('#')) {
            assert!(line.chars().count() <= 80, "{kind}: {line}");
        }
    });
}
