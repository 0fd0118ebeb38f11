//! `fracas report`.

use crate::common::Desk;

const SECTIONS: [&str; 7] = [
    "## 1. How often the players win",
    "## 2. How long it takes",
    "## 3. Who falls",
    "## 4. What is never chosen",
    "## 5. Which number matters most",
    "## 6. Rules that nothing named",
    "## 7. Who played, and how to repeat it",
];

#[test]
fn a_page_has_each_section() {
    let desk = Desk::new();
    let page = desk.run("report the-broken-bridge -n 12 --seed 3", "").ends(0).out;
    assert!(page.starts_with("# The Broken Bridge\n"), "{page}");
    let places: Vec<Option<usize>> = SECTIONS.iter().map(|section| page.find(section)).collect();
    assert!(places.is_sorted() && places[0].is_some(), "{page}");
    for words in [
        "The players win",
        "| 3, as written |",
        "| 2 |",
        "nine tenths up to",
        "Corin",
        "never chosen",
        "22 numbers were changed by one",
        "rules that play can name",
        "fracas report the-broken-bridge -n 12 --seed 3 --policy all=brisk",
    ] {
        assert!(page.contains(words), "no {words:?} in:\n{page}");
    }
}

#[test]
fn every_system_has_a_report_that_depends_on_the_seed_alone() {
    let desk = Desk::new();
    for encounter in
        ["the-quiet-hour", "the-back-room", "the-broken-bridge", "the-price-of-lamps", "spear-line"]
    {
        let n = if encounter == "spear-line" { 2 } else { 8 };
        let page = |threads: u32, name: &str| {
            let args = format!("report {encounter} -n {n} --seed 7 --threads {threads} --out {name}");
            desk.run(&args, "").ends(0).says("Written to");
            let page = std::fs::read_to_string(desk.path().join(name)).expect("a page");
            std::fs::remove_file(desk.path().join(name)).expect("a page");
            page
        };
        let (first, second) = (page(1, "page.html"), page(2, "page.html"));
        assert!(first == second, "{encounter} depends on threads");
        assert!(first.starts_with("<!doctype html>") && first.ends_with("</html>\n"), "{first}");
        assert!(
            !first.contains("http://") && !first.contains("https://") && !first.contains("src="),
            "{first}"
        );
        assert_eq!(page(1, "page.md"), page(2, "page.md"));
    }
}

#[test]
fn names_are_no_markup() {
    let desk = Desk::new();
    desk.write(
        "hostile.toml",
        r#"
title = "A <b>gate</b> | \n# of salt"
game = "judge-two"

[[player]]
name = "Ana"

[[character]]
use = "Tamsin"
name = "<script>alert(1)</script>|*x*"
id = "tamsin"
player = "Ana"

[[foe]]
use = "Levy"
name = "Levy\n<img src=x onerror=alert(2)>"
id = "levy"

[scene]
conflict = "martial"
"#,
    );
    desk.run("report hostile.toml -n 4 --out page.html", "").ends(0);
    let page = std::fs::read_to_string(desk.path().join("page.html")).expect("a page");
    for markup in ["<script", "<img", "<b>"] {
        assert!(!page.contains(markup), "{markup} in:\n{page}");
    }
    assert!(page.contains("<h1>A &lt;b&gt;gate&lt;/b&gt; | # of salt</h1>"), "{page}");
    assert!(page.contains("&lt;script&gt;alert(1)&lt;/script&gt;|*x*"), "{page}");
    let markdown = desk.run("report hostile.toml -n 4", "").ends(0).out;
    assert!(markdown.starts_with("# A &lt;b&gt;gate&lt;/b&gt; \\| \\# of salt\n"), "{markdown}");
    assert!(markdown.contains("&lt;script&gt;alert(1)&lt;/script&gt;\\|\\*x\\*"), "{markdown}");
    assert!(!markdown.contains("<img") && !markdown.contains("<script"), "{markdown}");
}

#[test]
fn what_cannot_be_reported_on_is_told() {
    let desk = Desk::new();
    desk.run("report no-such-place", "").ends(2).warns("no encounter of that name");
    desk.run("report night.fracas", "").ends(2).warns("is a log");
    desk.write("faulty.toml", "game = \"clash\"\ntitle = 3\n");
    desk.run("report faulty.toml", "").ends(2).warns("faulty.toml:2");
    desk.write("there.html", "mine");
    for (args, why) in [
        ("--policy players=clever", "random, fair, brisk or sound"),
        ("--policy spectators=fair", "players, gm or all"),
        ("--out page.pdf", ".html or .md"),
        ("--out nowhere/page.html", "no such folder"),
        ("--out there.html", "there.html"),
        ("-n 0", "1..=100000"),
    ] {
        desk.run(&format!("report salt-gate {args}"), "").ends(2).warns(why);
    }
    assert_eq!(std::fs::read_to_string(desk.path().join("there.html")).expect("mine"), "mine");
}
