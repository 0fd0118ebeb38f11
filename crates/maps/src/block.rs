//! A map as the `[map]` of an encounter.

use crate::{Laid, Map, Named};
use serde_json::json;
use std::fmt::Write;

/// How many walls stand in a line of text.
const WALLS_A_LINE: usize = 8;

impl Map {
    /// The map as TOML, to be read and changed in an editor; with its picture, where that is named.
    pub fn block(&self, picture: Option<Named<'_>>) -> String {
        let mut text = self.ground();
        if !self.walls.is_empty() {
            text += "\n# Nobody crosses the edge between two such spaces.\nwalls = [\n";
            for line in self.walls.chunks(WALLS_A_LINE) {
                let line: Vec<String> = line.iter().map(|(a, b)| format!("\"{a}-{b}\"")).collect();
                text += &format!("    {},\n", line.join(", "));
            }
            text += "]\n";
        }
        if let (Some(named), Some(laid)) = (picture, &self.laid) {
            // A text in JSON is one in TOML.
            let named = match named {
                Named::Id(id) => format!("id = {}", json!(id)),
                Named::File(name) => format!("file = {}", json!(name)),
            };
            text += "\n# The picture beneath: everybody at the table sees the whole of it.\n";
            // No error: it is written to a text.
            let _ = writeln!(text, "picture = {{ {named}{} }}", self.place(laid));
        }
        text
    }

    /// Its spaces: drawn, so that kinds of ground can be drawn into them, or of a picture alone as
    /// two numbers, which are easily changed.
    fn ground(&self) -> String {
        if self.walls.is_empty() && self.laid.as_ref().is_some_and(|laid| self.place(laid).is_empty()) {
            return format!("[map]\ncolumns = {}\nheight = {}\n", self.columns, self.rows);
        }
        let row = ".".repeat(self.columns.into()) + "\n";
        format!("[map]\nrows = \"\"\"\n{}\"\"\"\n", row.repeat(self.rows.into()))
    }

    /// Where a picture lies, unless it is on the whole map.
    fn place(&self, laid: &Laid) -> String {
        let [wide, high] = [self.columns, self.rows].map(|side| 1000 * i32::from(side));
        let fields = [
            ("left", laid.left, 0),
            ("top", laid.top, 0),
            ("width", laid.width, wide),
            ("height", laid.height, high),
        ];
        let said = fields.iter().filter(|(_, there, usual)| there != usual);
        said.map(|(name, there, _)| format!(", {name} = {there}")).collect()
    }
}
