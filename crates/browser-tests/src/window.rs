//! One browser: what somebody does in it, and what they see.

use fantoccini::actions::{InputSource, KeyAction, KeyActions};
use fantoccini::elements::{Element, ElementRef};
use fantoccini::{Client, wd::WindowHandle};
use serde_json::{Value, json};
use std::sync::OnceLock;
use std::time::{Duration, Instant};
use tokio::runtime::Runtime;

/// How long something may take that should come at once: machines are busy.
const PATIENCE: Duration = Duration::from_secs(40);
/// How long something may take that need not come at all.
const SOON: Duration = Duration::from_secs(2);
/// Between two looks at whether it has come.
const LOOK: Duration = Duration::from_millis(25);

/// Keys that people press.
pub use fantoccini::key::Key;

/// Waits for something.
pub(crate) fn wait<T>(what: impl Future<Output = T>) -> T {
    static RUNTIME: OnceLock<Runtime> = OnceLock::new();
    RUNTIME.get_or_init(|| Runtime::new().expect("a runtime")).block_on(what)
}

/// A part of a page.
#[derive(Clone, Debug)]
pub struct Part(Element);

impl Part {
    /// As a script takes it.
    pub fn value(&self) -> Value {
        serde_json::to_value(&self.0).unwrap_or_default()
    }
}

/// A browser.
pub struct Window {
    client: Client,
    session: String,
}

impl Window {
    pub(crate) fn new(client: Client, driver: &str) -> Window {
        let id = wait(client.session_id()).ok().flatten().expect("a session");
        Window { client, session: format!("{driver}/session/{id}") }
    }

    /// Loads a page.
    ///
    /// # Panics
    /// Where it does not load.
    pub fn go(&self, url: &str) {
        wait(self.client.goto(url)).unwrap_or_else(|error| panic!("{url}: {error}"));
    }

    /// Loads the page again.
    ///
    /// # Panics
    /// Where it does not load.
    pub fn reload(&self) {
        wait(self.client.refresh()).expect("the page again");
    }

    /// Where it is.
    ///
    /// # Panics
    /// Where that cannot be said.
    pub fn url(&self) -> String {
        wait(self.client.current_url()).expect("an address").to_string()
    }

    /// Sets how large its page is, however small.
    pub fn resize(&self, width: u32, height: u32) {
        let mobile = width < 500;
        let size = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": mobile });
        self.tool("Emulation.setDeviceMetricsOverride", &size);
    }

    /// Prefers light or dark pages: `light`, `dark`.
    pub fn prefer(&self, scheme: &str) {
        let features = json!([{ "name": "prefers-color-scheme", "value": scheme }]);
        self.tool("Emulation.setEmulatedMedia", &json!({ "features": features }));
    }

    /// A command of the browser's own tools.
    ///
    /// # Panics
    /// Where it is refused.
    pub fn tool(&self, command: &str, parameters: &Value) -> Value {
        self.post("goog/cdp/execute", &json!({ "cmd": command, "params": parameters }))
    }

    fn post(&self, path: &str, body: &Value) -> Value {
        let url = format!("{}/{path}", self.session);
        let answer = ureq::post(&url).content_type("application/json").send(body.to_string());
        let text = answer.and_then(|mut answer| answer.body_mut().read_to_string());
        let text = text.unwrap_or_else(|error| panic!("{path} {body}: {error}"));
        let mut answer: Value = serde_json::from_str(&text).expect("JSON");
        answer["value"].take()
    }

    /// What the browser itself has noted since this was last asked: faults,
    /// refusals by a page's policy.
    pub fn noted(&self) -> Vec<String> {
        let noted = self.post("se/log", &json!({ "type": "browser" }));
        let all = noted.as_array().into_iter().flatten();
        all.filter_map(|one| Some(one["message"].as_str()?.to_owned())).collect()
    }

    /// Runs a script from outside the page, as a person's own tools do.
    ///
    /// # Panics
    /// Where it fails.
    pub fn script(&self, script: &str, arguments: &[Value]) -> Value {
        self.try_script(script, arguments).unwrap_or_else(|error| panic!("{script}: {error}"))
    }

    fn try_script(&self, script: &str, arguments: &[Value]) -> Result<Value, String> {
        wait(self.client.execute(script, arguments.to_vec())).map_err(|error| error.to_string())
    }

    /// Runs a script that calls its last argument when it is done.
    ///
    /// # Panics
    /// Where it fails.
    pub fn script_done(&self, script: &str, arguments: &[Value]) -> Value {
        wait(self.client.execute_async(script, arguments.to_vec()))
            .unwrap_or_else(|error| panic!("{script}: {error}"))
    }

    /// Waits until a script gives something that is not nothing.
    ///
    /// # Panics
    /// Where it does not come.
    pub fn until(&self, what: &str, script: &str) -> Value {
        let begun = Instant::now();
        let mut last = None;
        while begun.elapsed() < PATIENCE {
            match self.try_script(script, &[]) {
                Ok(Value::Null | Value::Bool(false)) => {}
                Ok(found) => return found,
                // The page may just be another.
                Err(error) => last = Some(error),
            }
            std::thread::sleep(LOOK);
        }
        let page = self.try_script("return document.body?.innerText", &[]).unwrap_or_default();
        panic!("{what} does not come at {} ({last:?}); the page says: {page}", self.url());
    }

    /// What a script gives within a moment, if it is not nothing.
    pub fn soon(&self, script: &str) -> Option<Value> {
        let begun = Instant::now();
        while begun.elapsed() < SOON {
            match self.try_script(script, &[]) {
                Ok(Value::Null | Value::Bool(false)) | Err(_) => std::thread::sleep(LOOK),
                Ok(found) => return Some(found),
            }
        }
        None
    }

    /// Waits until the page says this.
    pub fn says(&self, words: &str) {
        let script = format!("return document.body.textContent.includes({})", json!(words));
        self.until(words, &script);
    }

    /// The first part that a selector finds and a person sees.
    ///
    /// # Panics
    /// Where there is none.
    pub fn part(&self, selector: &str) -> Part {
        let script = format!(
            "return [...document.querySelectorAll({})].find((one) => one.checkVisibility())",
            json!(selector)
        );
        self.part_of(&self.until(selector, &script)).expect("a part")
    }

    /// A part of a page that a script has given.
    pub fn part_of(&self, value: &Value) -> Option<Part> {
        let id = value.as_object()?.values().next()?.as_str()?;
        Some(Part(Element::from_element_id(self.client.clone(), ElementRef::from(id.to_owned()))))
    }

    /// Clicks what a person sees.
    ///
    /// # Panics
    /// Where it cannot be clicked: it is gone, or something is in its way.
    pub fn click(&self, selector: &str) {
        let part = self.part(selector);
        self.click_part(&part).unwrap_or_else(|error| panic!("{selector}: {error}"));
    }

    /// Scrolls to a part, as far from the edges as it can be, and clicks it.
    ///
    /// # Errors
    /// Where it cannot be clicked.
    pub fn click_part(&self, part: &Part) -> Result<(), String> {
        let scroll = "arguments[0].scrollIntoView({ block: 'center', behavior: 'instant' })";
        self.try_script(scroll, &[part.value()])?;
        wait(part.0.click()).map_err(|error| error.to_string())
    }

    /// Writes into a field.
    ///
    /// # Panics
    /// Where it is no field, or not to be seen.
    pub fn write(&self, selector: &str, text: &str) {
        let part = self.part(selector);
        wait(part.0.send_keys(text)).unwrap_or_else(|error| panic!("{selector}: {error}"));
    }

    /// Writes into a field that a script has found.
    ///
    /// # Errors
    /// Where it cannot be written into.
    pub fn write_in(&self, field: &Part, text: &str) -> Result<(), String> {
        wait(field.0.send_keys(text)).map_err(|error| error.to_string())
    }

    /// Presses and lets go of a key, wherever the focus is.
    ///
    /// # Panics
    /// Where the browser is gone.
    pub fn press(&self, key: Key) {
        let value = char::from(key);
        let press =
            KeyActions::new("keys".to_owned()).then(KeyAction::Down { value }).then(KeyAction::Up { value });
        wait(self.client.perform_actions(press)).expect("a key");
    }

    /// Opens another tab, which is in front then.
    ///
    /// # Panics
    /// Where it cannot.
    pub fn tab(&self) -> WindowHandle {
        let tab = wait(self.client.new_window(true)).expect("a tab");
        self.front(&tab.handle);
        tab.handle
    }

    /// The tab in front.
    ///
    /// # Panics
    /// Where there is none.
    pub fn front_tab(&self) -> WindowHandle {
        wait(self.client.window()).expect("a tab")
    }

    /// Goes on within a tab, which need not be in front.
    ///
    /// # Panics
    /// Where it is gone.
    pub fn within(&self, tab: &WindowHandle) {
        wait(self.client.switch_to_window(tab.clone())).expect("a tab");
    }

    /// Brings a tab to the front.
    ///
    /// # Panics
    /// Where it is gone.
    pub fn front(&self, tab: &WindowHandle) {
        self.within(tab);
        self.tool("Page.bringToFront", &json!({}));
    }

    /// What a box says that the page has opened over itself.
    pub fn alert(&self) -> Option<String> {
        wait(self.client.get_alert_text()).ok()
    }

    /// A picture of it, as PNG.
    ///
    /// # Panics
    /// Where none can be taken.
    pub fn picture(&self) -> Vec<u8> {
        wait(self.client.screenshot()).expect("a picture")
    }
}

impl Drop for Window {
    fn drop(&mut self) {
        let _ = wait(self.client.clone().close());
    }
}
