//! The driver, and how a browser is to be.

use crate::Window;
use fantoccini::ClientBuilder;
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::{Map, Value, json};
use std::env;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Condvar, Mutex, PoisonError};

/// What to install where something is missing.
const INSTALL: &str = "the tests in a browser need Chromium and its driver; get them with:\n  \
    apt-get install chromium chromium-driver\n\
    or name them in the environment as CHROMIUM and CHROMEDRIVER";
/// How often a driver is started that does not listen.
const TRIES: u32 = 5;
/// Tests that drive browsers at the same time.
const AT_ONCE: usize = 2;

/// Whether pages may run scripts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scripts {
    /// As a rule.
    On,
    /// Switched off in the browser.
    Off,
}

/// What a browser is like.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Look {
    /// In CSS pixels.
    pub width: u32,
    /// In CSS pixels.
    pub height: u32,
    /// Whether pages may run scripts.
    pub scripts: Scripts,
}

impl Look {
    /// A laptop.
    pub const WIDE: Look = Look { width: 1280, height: 900, scripts: Scripts::On };
    /// A phone.
    pub const PHONE: Look = Look { width: 360, height: 740, scripts: Scripts::On };
    /// The narrowest there is.
    pub const NARROW: Look = Look { width: 320, height: 640, scripts: Scripts::On };
    /// A laptop whose owner has switched scripts off.
    pub const PLAIN: Look = Look { scripts: Scripts::Off, ..Look::WIDE };
}

/// A driver that runs; it ends with this value, and its browsers before it.
pub struct Chromium {
    driver: Child,
    url: String,
    chromium: PathBuf,
    _turn: Turn,
}

impl Chromium {
    /// Begins a driver on a free port, once no more than one other test has one.
    ///
    /// # Panics
    /// Where Chromium or its driver is not installed: it says how to get them.
    pub fn start() -> Chromium {
        let turn = Turn::take();
        let chromium = program("CHROMIUM", &["chromium", "chromium-browser", "google-chrome"]);
        let driver = program("CHROMEDRIVER", &["chromedriver"]);
        let (Some(chromium), Some(driver)) = (chromium, driver) else { panic!("{INSTALL}") };
        let (driver, port) = (0..TRIES)
            .find_map(|_| listening(&driver))
            .unwrap_or_else(|| panic!("the driver does not say where it is\n{INSTALL}"));
        Chromium { driver, url: format!("http://127.0.0.1:{port}"), chromium, _turn: turn }
    }

    /// A new browser with a profile of its own.
    ///
    /// # Panics
    /// Where it does not start.
    pub fn window(&self, look: Look) -> Window {
        let client = crate::window::wait(async {
            ClientBuilder::new(HttpConnector::new())
                .capabilities(self.wanted(look))
                .connect(&self.url)
                .await
                .expect("a browser")
        });
        let window = Window::new(client, &self.url);
        window.resize(look.width, look.height);
        window
    }

    /// Browsers for a gamemaster and two players.
    ///
    /// # Panics
    /// Where one does not start.
    pub fn windows(&self, look: Look) -> Vec<Window> {
        (0..3).map(|_| self.window(look)).collect()
    }

    fn wanted(&self, look: Look) -> Map<String, Value> {
        let scripts = if look.scripts == Scripts::On { 1 } else { 2 };
        let wanted = json!({
            "browserName": "chrome",
            // A box that a page opens must not go by unseen.
            "unhandledPromptBehavior": "ignore",
            "goog:loggingPrefs": { "browser": "ALL" },
            "goog:chromeOptions": {
                "binary": self.chromium,
                "args": [
                    "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-background-networking",
                    "--disable-dev-shm-usage", "--no-first-run", "--disable-component-update",
                    format!("--window-size={},{}", look.width.max(500), look.height),
                ],
                "prefs": { "profile.managed_default_content_settings.javascript": scripts },
            },
        });
        match wanted {
            Value::Object(wanted) => wanted,
            _ => Map::new(),
        }
    }
}

impl Drop for Chromium {
    fn drop(&mut self) {
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}

/// A driver with its port; `None` if it ends at once: the port that it took for one family of
/// addresses may be in use in the other.
fn listening(driver: &Path) -> Option<(Child, u16)> {
    let mut driver = Command::new(driver)
        .arg("--port=0")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap_or_else(|error| panic!("the driver does not start: {error}\n{INSTALL}"));
    let said = driver.stdout.take().expect("its output");
    let port = BufReader::new(said)
        .lines()
        .map_while(Result::ok)
        .find_map(|line| line.split("successfully on port ").nth(1)?.trim_end_matches('.').parse().ok());
    if port.is_none() {
        let _ = driver.kill();
        let _ = driver.wait();
    }
    Some((driver, port?))
}

/// A program: as the environment names it, else wherever it is first found.
fn program(variable: &str, names: &[&str]) -> Option<PathBuf> {
    if let Some(named) = env::var_os(variable) {
        return Some(named.into());
    }
    let folders: Vec<PathBuf> = env::split_paths(&env::var_os("PATH").unwrap_or_default()).collect();
    names
        .iter()
        .flat_map(|name| folders.iter().map(move |folder| folder.join(name)))
        .find(|path| path.is_file())
}

static TURNS: (Mutex<usize>, Condvar) = (Mutex::new(AT_ONCE), Condvar::new());

/// A test's turn to drive browsers.
struct Turn;

impl Turn {
    fn take() -> Turn {
        let (left, free) = &TURNS;
        let left = left.lock().unwrap_or_else(PoisonError::into_inner);
        let mut left = free.wait_while(left, |left| *left == 0).unwrap_or_else(PoisonError::into_inner);
        *left -= 1;
        Turn
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        let (left, free) = &TURNS;
        *left.lock().unwrap_or_else(PoisonError::into_inner) += 1;
        free.notify_one();
    }
}
