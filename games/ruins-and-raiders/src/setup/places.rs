//! Who rides on whom, and where everybody stands.

use super::Reading;
use crate::rules::Occupied;
use crate::vocab::*;
use fracas_kernel::{Fields, Space, near};

/// Who stands where, of those who leave no room for others.
type Stands = Vec<(Space, Char)>;

impl<'s> Reading<'s> {
    /// Puts somebody on the mount that the fields name (`ext.mount`).
    pub(super) fn ride(&mut self, who: Char, fields: &Fields<'s>) {
        let Some(name) = fields.text("rides") else { return };
        let is_called = |mount: &Char| {
            let sheet = self.rules.sheet(*mount);
            sheet.name == name || sheet.slug == name
        };
        let Some(mount) = self.rules.mounts.iter().find(is_called) else {
            let known = self.rules.mounts.iter().map(|mount| self.rules.sheet(mount).name.as_str());
            return fields.unknown("rides", "there is no `mount = true` called", name, known);
        };
        if self.rules.mounts.has(who) {
            return fields.fault_in("rides", "a mount rides on nobody (ext.mount)");
        }
        if self.state.cast.iter().any(|being| being.riding == Some(mount)) {
            return fields.fault_in("rides", format!("{name:?} carries somebody already (ext.mount)"));
        }
        let (rider, carrier) = (self.state.being(who), self.state.being(mount));
        let states = [("away", rider.away, carrier.away), ("unseen", rider.unseen, carrier.unseen)];
        for (word, rider, carrier) in states {
            if rider != carrier {
                let what = format!("of rider and mount both are `{word}`, or neither");
                fields.fault_in("rides", what);
            }
        }
        if self.state.being(who).prone {
            fields.fault_in("prone", "nobody rides lying down (ext.mount)");
        }
        self.state.being_mut(who).riding = Some(mount);
    }

    /// Puts everybody of these where they stand: first those whom players see, so that nobody else shows
    /// in their places, and of each first those whose place is said.
    pub(super) fn stand(&mut self, these: &[(Char, Fields<'s>)]) {
        let is_new = |who: Char| these.iter().any(|(other, _)| *other == who);
        let there = self.rules.everybody().filter(|&who| !is_new(who) && self.bars(who));
        let mut stands: Stands = there.map(|who| (self.state.being(who).at, who)).collect();
        for (hidden, is_said) in [(false, true), (false, false), (true, true), (true, false)] {
            for (who, fields) in these {
                let rides = self.state.being(*who).riding.is_some();
                if !rides && self.is_hidden(*who) == hidden && fields.has("at") == is_said {
                    self.place(*who, fields, &mut stands);
                }
            }
        }
        for (who, fields) in these {
            if let Some(mount) = self.state.being(*who).riding {
                self.state.being_mut(*who).at = self.state.being(mount).at;
                fields.text("at");
                fields.idle_all(&["at"], "who rides is where the mount is: say it there (ext.mount)");
            }
        }
    }

    fn place(&mut self, who: Char, fields: &Fields<'s>, stands: &mut Stands) {
        let place = match fields.text("at") {
            // Where that is no space there is a fault already.
            Some(text) => self.space(fields, text),
            None if fields.has("at") => None,
            None => self.free(who, fields, stands),
        };
        let Some(space) = place else { return };
        self.state.being_mut(who).at = space;
        if !self.bars(who) {
            return;
        }
        if let Some((_, other)) =
            stands.iter().find(|(taken, other)| *taken == space && self.meets(who, *other))
        {
            let (name, other) = (space_name(self, space), &self.rules.sheet(*other).name);
            let what = format!("{other} is in {name}: expected another space (occupied)");
            fields.fault_in("at", what);
        }
        stands.push((space, who));
    }

    /// The space of the map that a text means.
    fn space(&self, fields: &Fields<'s>, text: &str) -> Option<Space> {
        let field = &self.rules.field;
        let found = field.find(text);
        match found {
            Some(space) if field.is_there(space) => return found,
            Some(_) => {
                fields.fault_in("at", format!("{text} is a wall: expected a space where somebody can be"))
            }
            None => {
                let names = field.spaces().iter().filter_map(|space| field.place_name(space));
                let names: Vec<&str> = names.chain(field.named_spaces().map(|(_, name)| name)).collect();
                let perhaps = near(text, &names);
                let what = match (field.is_grid(), names.is_empty()) {
                    (true, true) => "expected a space of the map, such as C4".to_owned(),
                    (true, false) => {
                        format!("expected a space of the map, such as C4, or one of {}", names.join(", "))
                    }
                    (false, _) => format!("expected a place of the map: {}", names.join(", ")),
                };
                fields.fault_in("at", format!("{what}, found {text:?}{perhaps}"));
            }
        }
        None
    }

    /// The first free space, from the left for the players' side and from the right for others.
    fn free(&self, who: Char, fields: &Fields<'s>, stands: &[(Space, Char)]) -> Option<Space> {
        let field = &self.rules.field;
        let is_taken =
            |space: Space| stands.iter().any(|(taken, other)| *taken == space && self.meets(who, *other));
        let rows = field.rows();
        let spaces = |column: u8| (0..rows).filter_map(move |row| Space::new(column, row));
        let is_free = |space: &Space| field.is_there(*space) && !is_taken(*space);
        let columns = 0..field.columns();
        let found = match self.rules.sheet(who).side {
            Side::Players => columns.flat_map(spaces).find(is_free),
            Side::Foes | Side::Nobody => columns.rev().flat_map(spaces).find(is_free),
        };
        if found.is_none() {
            fields.fault(
                "no space of the map is left: make it larger, or say `occupied = \"shared\"` in [options]",
            );
        }
        found
    }

    /// Whether somebody cannot be where another is (`occupied`). What players do not see is in nobody's way:
    /// its place would tell of it.
    fn meets(&self, who: Char, other: Char) -> bool {
        let is_alone = self.rules.field.is_grid() && self.rules.options.occupied == Occupied::OneEach;
        is_alone && (self.is_hidden(who) || !self.is_hidden(other))
    }

    /// Whether somebody leaves no room for others.
    fn bars(&self, who: Char) -> bool {
        let being = self.state.being(who);
        !being.away && being.riding.is_none() && !self.state.is_disabled(&self.rules, who)
    }
}

/// What a space is called.
fn space_name(reading: &Reading<'_>, space: Space) -> String {
    let field = &reading.rules.field;
    let name = field.place_name(space).or_else(|| field.named(space));
    name.map_or_else(|| space.to_string(), str::to_owned)
}
