//! Somebody at a table, who plays by what their page shows.

use crate::common::{Browser, Server, link, signed};
use crate::script::{Deed, Script};
use crate::worlds::cookie;
use fracas_browser_tests::{Chromium, Key, Look, Part, Window};
use fracas_kernel::Seat;
use fracas_sim::Chance;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// With what somebody plays.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Hands {
    /// A mouse, or a finger.
    Pointer,
    /// Tab, arrows, Enter and the space bar.
    Keys,
    /// A mouse, on pages without script.
    Plain,
}

/// How long somebody waits for what must come.
const PATIENCE: Duration = Duration::from_secs(40);
/// Most presses of Tab from one thing to the next.
const TABS: usize = 60;
/// Most presses of arrows to an answer.
const ARROWS: usize = 150;
/// Where an answer is from where the focus is.
const TOWARDS: &str = "
    const [want, at] = [arguments[0], document.activeElement];
    if (at === want) return at.checked ? 'chosen' : 'there';
    if (at.name !== 'answer' || at.form !== want.form) return 'away';
    const all = [...want.form.querySelectorAll('input[name=answer]')].filter((one) => one.checkVisibility());
    const steps = (all.indexOf(want) - all.indexOf(at) + all.length) % all.length;
    return steps <= all.length / 2 ? 'down' : 'up';";
/// Answers that are offered to a person with keys before they tire of arrows.
const NEAR: usize = 5;

/// The answer form that is this person's to fill in, the answers in it, the groups of
/// answers that are further pages, and the dice that are theirs to throw.
const OFFERED: &str = r#"
    const seen = (one) => one && one.checkVisibility();
    const dice = document.querySelector('#moment .ask.mine:not(.other *) form.throw');
    if (seen(dice)) return { roll: dice.elements.roll.value, go: dice.querySelector('button'), answers: [], groups: [] };
    const form = [...document.querySelectorAll('#moment .ask.mine:not(.other *) form.answer')].find(seen);
    if (!form) return null;
    const agree = [...form.closest('.ask').querySelectorAll('p.soft')]
        .map((p) => p.textContent.split(' has said: ')[1]?.split('. It counts once')[0]).find((said) => said);
    const all = [...form.querySelectorAll('.choices input[name=answer]')];
    const same = all.find((one) => one.closest('.choice')?.querySelector('.text').textContent.toLowerCase() === agree?.toLowerCase());
    return {
        ask: form.elements.ask.value, go: form.querySelector('.deed button.go'), answers: same ? [same] : all,
        groups: [...form.querySelectorAll('a[data-choices]')],
    };"#;
/// Where somebody may give a certain answer.
const FOUND: &str = "
    const want = arguments[0];
    for (const form of document.querySelectorAll('#moment form.answer')) {
        if (form.elements.of) continue;
        const answer = [...form.querySelectorAll('.choices input[name=answer]')].find((one) => one.value === want);
        if (answer) return { ask: form.elements.ask.value, go: form.querySelector('.deed button.go'), answers: [answer] };
    }
    return null;";
/// The groups of answers that are further pages.
const GROUPS: &str = "
    return [...document.querySelectorAll('#moment form.answer')].filter((form) => !form.elements.of)
        .flatMap((form) => [...form.querySelectorAll('a[data-choices]')]).filter((link) => link.href.includes('in='));";
/// Where somebody throws.
const THROW: &str = "
    const form = [...document.querySelectorAll('#moment form')].find((form) => form.elements.roll && !form.elements.faces);
    return form && { roll: form.elements.roll.value, go: form.querySelector('button') };";
/// Where somebody types in what real dice show.
const TYPE: &str = "
    const form = [...document.querySelectorAll('#moment form')].find((form) => form.elements.roll && form.elements.faces);
    return form && { roll: form.elements.roll.value, field: form.elements.faces, go: form.querySelector('button') };";
/// Where it is ticked that what an answer needs is said aloud, unless it is.
const ALOUD: &str = "
    const aloud = arguments[0].form?.elements.aloud;
    return aloud && aloud.checkVisibility() && !aloud.checked ? aloud : null;";
/// Whether an answer is the only one, which its button says.
const ONLY: &str = "return !!arguments[0].closest('.only');";
/// The row of an answer that is given by pressing it.
const PRESSED: &str = "return arguments[0].closest('.scripted .choice[data-press]');";
/// What is still closed around an answer, or in the way to it, the outermost first.
const CLOSED: &str = "
    const closed = [];
    for (let at = arguments[0].closest('details'); at; at = at.parentElement.closest('details'))
        if (!at.open) closed.unshift(at.querySelector('summary'));
    const list = arguments[0].closest('.scripted form:has(.choices)')?.querySelector('.as-list[aria-expanded=false]');
    if (list) closed.splice(closed.findIndex((fold) => list.closest('details')?.contains(fold)) + 1, 0, list);
    return closed;";

/// Somebody in a browser at a table.
pub(crate) struct Person {
    pub(crate) window: Window,
    pub(crate) page: String,
    hands: Hands,
    chance: Chance,
    /// How often they have answered or thrown.
    pub(crate) done: usize,
}

/// What is asked of somebody.
struct Offer {
    ask: Option<String>,
    roll: Option<String>,
    go: Part,
    answers: Vec<Value>,
    groups: Vec<Value>,
}

impl Person {
    /// Somebody who is at their page.
    pub(crate) fn at(window: Window, page: String, hands: Hands, seed: u64) -> Person {
        window.go(&page);
        Person { window, page, hands, chance: Chance::new(seed, 0), done: 0 }
    }

    fn offer(&self) -> Option<Offer> {
        self.read(&self.window.script(OFFERED, &[]))
    }

    fn read(&self, offered: &Value) -> Option<Offer> {
        let list = |name: &str| offered[name].as_array().cloned().unwrap_or_default();
        Some(Offer {
            ask: offered["ask"].as_str().map(str::to_owned),
            roll: offered["roll"].as_str().map(str::to_owned),
            go: self.window.part_of(&offered["go"])?,
            answers: list("answers"),
            groups: list("groups"),
        })
    }

    /// Whether play waits for this person.
    pub(crate) fn is_due(&self) -> bool {
        if self.hands == Hands::Plain {
            // Nothing comes by itself.
            self.window.go(&self.page);
        }
        !self.window.script(OFFERED, &[]).is_null()
    }

    /// Whether the page says that it is over.
    pub(crate) fn is_over(&self) -> bool {
        self.window
            .script("return document.querySelector('#moment').textContent.includes('It is over.')", &[])
            == true
    }

    /// Does what is asked, as far as the page stays as it is meanwhile.
    pub(crate) fn turn(&mut self) -> bool {
        let Some(offer) = self.offer() else { return false };
        match self.fill_in(&offer) {
            Ok(()) => {
                self.answered(&offer);
                self.done += 1;
                true
            }
            // Something was drawn anew under the pointer: another look.
            Err(error) if error.contains("stale") || error.contains("no such element") => false,
            Err(error) => panic!("{error} at {}", self.page),
        }
    }

    /// Does what a script says, once it can be done.
    pub(crate) fn does(&mut self, deed: &Deed) {
        let begun = Instant::now();
        loop {
            if self.hands == Hands::Plain {
                self.window.go(&self.page);
            }
            let done = match deed {
                Deed::Answer(answer) => self.gives(answer),
                Deed::Throw => self.throws(),
                Deed::Type(faces) => self.types(faces),
            };
            match done {
                Ok(()) => break,
                // Not yet, or drawn anew just now.
                Err(error)
                    if begun.elapsed() < PATIENCE
                        && (error.contains("stale") || error.contains("no such element")) =>
                {
                    std::thread::sleep(Duration::from_millis(40));
                }
                Err(error) => {
                    let page = self.window.script("return document.querySelector('#moment').innerText", &[]);
                    panic!("{deed:?}: {error} at {}: {page}", self.page);
                }
            }
        }
        self.done += 1;
    }

    fn gives(&mut self, answer: &str) -> Result<(), String> {
        let mut found = self.window.script(FOUND, &[json!(answer)]);
        if found.is_null() {
            let groups = self.window.script(GROUPS, &[]);
            for group in groups.as_array().into_iter().flatten() {
                let part = self.window.part_of(group).ok_or("no such element: a group")?;
                self.opened(group)?;
                self.activate(&part)?;
                let script = format!(
                    "const find = (...arguments) => {{ {FOUND} }}; return find({}) || null;",
                    json!(answer)
                );
                if let Some(value) = self.window.soon(&script) {
                    found = value;
                    break;
                }
                self.window.go(&self.page);
            }
        }
        let offer = self.read(&found).ok_or("no such element: that answer")?;
        self.choose(&offer)?;
        self.answered(&offer);
        Ok(())
    }

    fn throws(&mut self) -> Result<(), String> {
        let offer = self.read(&self.window.script(THROW, &[])).ok_or("no such element: dice")?;
        self.activate(&offer.go)?;
        self.answered(&offer);
        Ok(())
    }

    fn types(&mut self, faces: &[u8]) -> Result<(), String> {
        let found = self.window.script(TYPE, &[]);
        let offer = self.read(&found).ok_or("no such element: dice")?;
        self.opened(&found["field"])?;
        let faces: Vec<String> = faces.iter().map(u8::to_string).collect();
        let field = self.window.part_of(&found["field"]).ok_or("no such element: a field")?;
        if self.hands == Hands::Keys {
            self.come_to(&field)?;
        }
        self.window.write_in(&field, &faces.join(" "))?;
        self.activate(&offer.go)?;
        self.answered(&offer);
        Ok(())
    }

    /// Opens whatever is closed around something.
    fn opened(&self, part: &Value) -> Result<(), String> {
        let closed = self.window.script(CLOSED, std::slice::from_ref(part));
        for fold in closed.as_array().into_iter().flatten() {
            let fold = self.window.part_of(fold).ok_or("no such element: a fold")?;
            self.activate(&fold)?;
        }
        Ok(())
    }

    fn fill_in(&mut self, offer: &Offer) -> Result<(), String> {
        if offer.roll.is_some() {
            return self.activate(&offer.go);
        }
        if offer.answers.is_empty() {
            let group = &offer.groups[self.chance.place(offer.groups.len())];
            let part = self.window.part_of(group).ok_or("no group")?;
            self.activate(&part)?;
            self.window.until(
                "the group's answers",
                "return !!document.querySelector('#moment .ask.mine:not(.other *) form.answer input[name=answer]')",
            );
            let opened = self.offer().ok_or("no such element: the ask is gone")?;
            return if opened.answers.is_empty() {
                Err("no such element: a group of groups".to_owned())
            } else {
                self.choose(&opened)
            };
        }
        self.choose(offer)
    }

    fn choose(&mut self, offer: &Offer) -> Result<(), String> {
        let near =
            if self.hands == Hands::Keys { offer.answers.len().min(NEAR) } else { offer.answers.len() };
        let answer = offer.answers[self.chance.place(near)].clone();
        self.opened(&answer)?;
        let part = self.window.part_of(&answer).ok_or("no answer")?;
        let is_press = self.window.script(ONLY, std::slice::from_ref(&answer)) == true;
        let row = self.window.part_of(&self.window.script(PRESSED, std::slice::from_ref(&answer)));
        if let (Hands::Pointer, Some(row)) = (self.hands, &row) {
            return self.window.click_part(row);
        }
        match self.hands {
            _ if is_press => {}
            Hands::Keys => self.pick(&answer)?,
            _ => self.window.click_part(&part)?,
        }
        // What is to be said they say aloud.
        let aloud = self.window.script(ALOUD, std::slice::from_ref(&answer));
        if let Some(aloud) = self.window.part_of(&aloud) {
            match self.hands {
                Hands::Keys => {
                    self.come_to(&aloud)?;
                    self.window.press(Key::Space);
                }
                _ => self.window.click_part(&aloud)?,
            }
        }
        self.activate(&offer.go)
    }

    /// Clicks something, or comes to it by keys and presses Enter.
    fn activate(&self, part: &Part) -> Result<(), String> {
        if self.hands != Hands::Keys {
            return self.window.click_part(part);
        }
        self.come_to(part)?;
        self.window.press(Key::Enter);
        Ok(())
    }

    /// Presses Tab until the focus is on something.
    fn come_to(&self, part: &Part) -> Result<(), String> {
        let value = part.value();
        let mut way = Vec::new();
        for _ in 0..TABS {
            if self
                .window
                .script("return document.activeElement === arguments[0]", std::slice::from_ref(&value))
                == true
            {
                return Ok(());
            }
            self.window.press(Key::Tab);
            self.focus_is_seen();
            let at = self.window.script("return document.activeElement.textContent.trim().slice(0, 30)", &[]);
            way.push(at.as_str().unwrap_or_default().to_owned());
        }
        let part = self.window.script("return arguments[0].outerHTML", &[value]);
        Err(format!("no way by Tab to {part}, but by {way:?}"))
    }

    /// Comes to one of the answers, which are a group for Tab, and chooses it.
    fn pick(&self, answer: &Value) -> Result<(), String> {
        for _ in 0..ARROWS {
            let at = self.window.script(TOWARDS, std::slice::from_ref(answer));
            match at.as_str() {
                Some("chosen") => return Ok(()),
                Some("there") => self.window.press(Key::Space),
                Some("down") => self.window.press(Key::Down),
                Some("up") => self.window.press(Key::Up),
                _ => self.window.press(Key::Tab),
            }
            self.focus_is_seen();
        }
        Err(format!("no way by keys to {answer}"))
    }

    /// Wherever the focus is, somebody who looks can tell.
    pub(crate) fn focus_is_seen(&self) {
        let hidden = self.window.script(
            "const at = document.activeElement;
             if (!at || at === document.body || at === document.documentElement) return null;
             if (at.tabIndex < 0) return null;
             const shows = at.closest('.choice') ?? at;
             const style = getComputedStyle(shows);
             const box = at.getBoundingClientRect();
             if (box.bottom < 0 || box.top > innerHeight || box.right < 0 || box.left > innerWidth) return 'out of sight: ' + at.outerHTML;
             if (style.outlineStyle === 'none' || parseFloat(style.outlineWidth) < 2) return 'no outline: ' + at.outerHTML;
             const middle = document.elementFromPoint(box.left + box.width / 2, Math.min(innerHeight - 1, Math.max(0, box.top + box.height / 2)));
             if (middle && !at.contains(middle) && !middle.contains(at) && !shows.contains(middle)) return 'under something: ' + at.outerHTML + ' under ' + middle.outerHTML.slice(0, 120);
             return null;",
            &[],
        );
        assert!(hidden.is_null(), "the focus is not to be seen: {hidden}");
    }

    /// Waits until what was sent has been taken.
    fn answered(&self, offer: &Offer) {
        let (name, value) = match (&offer.ask, &offer.roll) {
            (Some(ask), _) => ("ask", ask),
            (None, roll) => ("roll", roll.as_ref().expect("a roll")),
        };
        let done = format!(
            "const told = document.querySelector('#refused .refusal');
             if (told) return told.textContent;
             return document.readyState === 'complete'
                 && ![...document.querySelectorAll('#moment input[name={name}]')].some((one) => one.value === '{value}' && !one.form.elements.of);"
        );
        let accepted = self.window.until("what was answered", &done);
        assert_eq!(accepted, true, "what the page offers is refused");
        if self.hands == Hands::Keys {
            let lost = self.window.script("return document.activeElement === document.body", &[]);
            assert_eq!(lost, false, "the focus is lost after an answer");
        }
    }
}

/// A table with the gamemaster and players in windows of their own.
pub(crate) struct Company {
    pub(crate) gm: Browser,
    pub(crate) table: String,
    pub(crate) people: Vec<Person>,
}

impl Company {
    /// Opens a table and seats everybody: the gamemaster in the first window by the
    /// form of the page, players in the others by their links.
    pub(crate) fn gather(server: &Server, windows: Vec<Window>, system: &str, encounter: &str) -> Company {
        let mut windows = windows.into_iter();
        let window = windows.next().expect("a window");
        window.go(&format!("{}/open/{system}/{encounter}", server.url));
        window.click("button.go");
        window.until("the table", "return !!document.querySelector('#table')");
        let table = window.url();
        let gm = Browser::known(&server.url, &secret(&window));
        gm.post(&format!("{table}/door"), &[("door", "open")]);
        let mut people = vec![Person::at(window, table.clone(), Hands::Pointer, 1)];
        for (n, window) in (1..).zip(windows) {
            window.go(&link(&gm, &table, &format!("player-{n}")));
            window.write("input[name=name]", &format!("Player {n}"));
            window.click("button.go");
            window.until("the table", "return !!document.querySelector('#table')");
            let page = window.url();
            people.push(Person::at(window, page, Hands::Pointer, 1 + n));
        }
        Company { gm, table, people }
    }

    /// Opens the first table there is, for the gamemaster alone.
    pub(crate) fn alone(server: &Server, chromium: &Chromium) -> Company {
        let table = crate::plays::tables().remove(0);
        Company::gather(server, vec![chromium.window(Look::WIDE)], table.system, &table.encounter)
    }

    /// Seats everybody at a table that a server has found.
    pub(crate) fn planted(server: &Server, windows: Vec<Window>, id: &str, hands: [Hands; 3]) -> Company {
        let table = format!("{}/t/{id}/gm", server.url);
        let seats = ["gm", "player-1", "player-2"].into_iter().zip(windows).enumerate();
        let people = seats.map(|(n, (role, window))| {
            sits(&window, &server.url, &cookie(n));
            Person::at(window, table.replace("/gm", &format!("/{role}")), hands[n], n as u64)
        });
        Company { gm: Browser::known(&server.url, &cookie(0)), people: people.collect(), table }
    }

    /// What everybody's page says of the moment.
    pub(crate) fn moments(&self) -> String {
        let moment = |person: &Person| {
            person.window.script(
                "return location.pathname + ': ' + document.querySelector('#moment').innerHTML.slice(0, 900)",
                &[],
            )
        };
        self.people.iter().map(|person| format!("{}\n", moment(person))).collect()
    }

    /// Whoever play waits for first.
    pub(crate) fn due(&self) -> usize {
        let due = self.people.iter().position(Person::is_due);
        due.unwrap_or_else(|| panic!("nobody is asked anything: {}", self.moments()))
    }

    /// Their windows again, for another table.
    pub(crate) fn windows(self) -> Vec<Window> {
        self.people.into_iter().map(|person| person.window).collect()
    }

    /// Everybody does what a script says, to the end.
    pub(crate) fn perform(&mut self, script: &Script, mut look: impl FnMut(&Person)) {
        for (seat, deed) in &script.steps {
            let at = match seat {
                Seat::Player(n) => 1 + usize::from(*n),
                _ => 0,
            };
            let person = &mut self.people[at];
            person.does(deed);
            look(person);
        }
        for person in &self.people {
            if person.hands == Hands::Plain {
                person.window.go(&person.page);
            }
            person.window.says("It is over.");
        }
    }

    /// Everybody plays until it is over, or until so much was done; gives whether
    /// it is over. `look` sees whoever has just done something.
    pub(crate) fn play(&mut self, most: usize, mut look: impl FnMut(&Person)) -> bool {
        let mut done = 0;
        let mut idle = 0;
        while done < most {
            if self.people[0].is_over() {
                return true;
            }
            let mut acted = false;
            for person in &mut self.people {
                while done < most && person.is_due() && person.turn() {
                    done += 1;
                    acted = true;
                    look(person);
                }
            }
            idle = if acted { 0 } else { idle + 1 };
            assert!(idle < 200, "nobody is asked anything: {}", self.moments());
            if !acted {
                std::thread::sleep(std::time::Duration::from_millis(50));
            }
        }
        self.people[0].is_over()
    }
}

/// Gives a window the cookie that a server knows somebody by.
pub(crate) fn sits(window: &Window, url: &str, secret: &str) {
    let cookie = json!({ "url": url, "name": "fracas", "value": signed(secret), "httpOnly": true });
    window.tool("Network.setCookie", &cookie);
}

/// The secret of a window's cookie, so that a test can do by the way what is not
/// what it is about.
fn secret(window: &Window) -> String {
    let cookies = window.tool("Network.getAllCookies", &serde_json::json!({}));
    let all = cookies["cookies"].as_array().cloned().unwrap_or_default();
    let ours = all.iter().find(|cookie| cookie["name"] == "fracas").expect("a cookie");
    ours["value"].as_str().expect("its value").to_owned()
}
