//! What is read out, and what becomes of words half written.

use crate::{common::Server, person::Company};
use fracas_browser_tests::{Chromium, Look, Window};
use serde_json::{Value, json};

/// Keeps whatever is put where screen readers listen.
const LISTEN: &str = "
    window.heard = [];
    const listen = (id, kind) => new MutationObserver((changes) => {
        for (const change of changes) for (const one of change.addedNodes) if (one.textContent.trim()) window.heard.push([kind, one.textContent.trim()]);
    }).observe(document.getElementById(id), { childList: true });
    listen('said', 'said');
    listen('refused', 'alert');
    window.seen = document.querySelectorAll('#lines > li').length;";

/// What was read out since this was last asked, and what has come on the page.
const HEARD: &str = "
    const lines = [...document.querySelectorAll('#lines > li')].slice(window.seen);
    const text = (one) => { const copy = one.cloneNode(true); copy.querySelectorAll('.why').forEach((why) => why.remove()); return copy.textContent.trim(); };
    const told = lines.flatMap((line) => [...line.querySelectorAll('.how li')].map(text)).filter((told) => told && !told.startsWith('The gamemaster'));
    const rolls = lines.filter((line) => line.querySelector('.result .die')).length;
    const heard = window.heard;
    window.heard = [];
    window.seen += lines.length;
    return { told, rolls, heard };";

fn heard(kind: &str, all: &Value) -> String {
    let list = all["heard"].as_array().into_iter().flatten();
    list.filter(|one| one[0] == kind).filter_map(|one| one[1].as_str()).collect::<Vec<_>>().join("\n")
}

#[test]
fn each_roll_turn_and_refusal_is_read_out_once() {
    let server = Server::start();
    let chromium = Chromium::start();
    let table = crate::plays::tables().remove(0);
    let mut company = Company::gather(&server, chromium.windows(Look::WIDE), table.system, &table.encounter);
    for person in &company.people {
        person.window.script(LISTEN, &[]);
    }
    let (mut turns, mut rolls, mut lines) = (0, 0, 0);
    let mut due: Vec<bool> = company.people.iter().map(|person| person.is_due()).collect();
    for step in 0..24 {
        let before = due.clone();
        let at = company.due();
        company.people[at].turn();
        // One line that everybody sees, so that whatever came before it has come.
        let mark = format!("This is step {step}.");
        let note = [("text", mark.as_str()), ("to", "all")];
        assert_eq!(company.gm.act(&format!("{}/note", company.table), &note).status, 200);
        for (n, person) in company.people.iter().enumerate() {
            person.window.says(&mark);
            let all = person.window.script(HEARD, &[]);
            let said = heard("said", &all);
            assert_eq!(said.matches(&mark).count(), 1, "{said}");
            let lines_told: Vec<&str> =
                all["told"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
            for line in &lines_told {
                let times = lines_told.iter().filter(|other| other.contains(line)).count();
                assert_eq!(said.matches(line).count(), times, "{line:?} is read out other than once: {said}");
            }
            lines += lines_told.len();
            rolls += all["rolls"].as_u64().unwrap_or_default();
            let called = said.matches("You are asked: ").count() + said.matches("Your dice: ").count();
            due[n] = person.is_due();
            match (before[n] && n != at, due[n]) {
                (_, false) => assert_eq!(called, 0, "called without being asked: {said}"),
                (false, true) => {
                    assert_eq!(called, 1, "asked, and called {called} times: {said}");
                    turns += 1;
                }
                (true, true) => assert!(called <= 1, "called {called} times: {said}"),
            }
            assert_eq!(heard("alert", &all), "", "nothing was refused");
        }
    }
    assert!(turns > 5 && lines > 10, "{turns} turns and {lines} lines ({rolls} rolls) show too little");
    refused_once(&company.people[0].window);
}

/// A refusal is told once, where screen readers hear it at once.
fn refused_once(window: &Window) {
    window.script("document.querySelector('form.write textarea').value = ' \\n '; document.querySelector('form.write textarea').required = false;", &[]);
    window.click("form.write button");
    window.until("a refusal", "return !!document.querySelector('#refused [role=alert]')");
    let all = window.script(HEARD, &[]);
    assert_eq!(heard("alert", &all), "Write something first.");
    assert_eq!(heard("said", &all), "");
}

#[test]
fn of_two_tabs_that_answer_at_once_one_is_told_so_and_keeps_its_words() {
    let server = Server::start();
    let chromium = Chromium::start();
    let table = crate::plays::tables().remove(0);
    let mut company = Company::gather(&server, chromium.windows(Look::WIDE), table.system, &table.encounter);
    // Until somebody chooses among answers.
    let at = loop {
        let at = company.due();
        if company.people[at].window.script(
            "return !!document.querySelector('#moment .ask.mine:not(.other *) form.answer .deed textarea')",
            &[],
        ) == true
        {
            break at;
        }
        company.people[at].turn();
    };
    let person = &company.people[at];
    let window = &person.window;
    let first = window.front_tab();
    let live = window.tab();
    window.go(&person.page);
    // To the third nothing comes: it does not know yet what the first has done.
    let deaf = window.tab();
    window.tool("Network.enable", &json!({}));
    window.tool("Network.setBlockedURLs", &json!({ "urls": ["*/stream*"] }));
    window.go(&person.page);
    for (tab, words) in [(&first, "said first"), (&live, "half written"), (&deaf, "said too late")] {
        window.front(tab);
        window.script(CHOOSE, &[]);
        window.write("#moment .ask.mine:not(.other *) .deed textarea", words);
    }
    window.front(&first);
    window.click("#moment .ask.mine:not(.other *) .deed button.go");
    window.says("said first");
    window.front(&live);
    window.until(
        "what was half written",
        "return document.querySelector('#refused q')?.textContent === 'half written'",
    );
    window.front(&deaf);
    window.click("#moment .ask.mine:not(.other *) .deed button.go");
    window.until(
        "a refusal",
        "return document.querySelector('#refused').textContent.includes('no longer asked')",
    );
    let kept = window
        .script("return document.querySelector('#moment .ask.mine:not(.other *) .deed textarea').value", &[]);
    assert_eq!(kept, "said too late");
    let log = company.gm.get(&format!("{}/log", company.table)).body;
    let written = ["said first", "half written", "said too late"].map(|words| log.matches(words).count());
    assert_eq!(written, [1, 0, 0]);
}

/// Chooses the first answer.
const CHOOSE: &str = "
    const form = document.querySelector('#moment .ask.mine:not(.other *) form.answer');
    for (const fold of form.querySelectorAll('details')) fold.open = true;
    form.querySelector('input[name=answer]').click();";
