//! A live table's regions and lines, drawn as HTML.

use super::{
    cast::cast,
    moment,
    overlay::{self, Part},
    stage::stage,
    story, table,
    tools::{desk, tools},
};
use fracas_kernel::Viewer;
use fracas_live::glance::Glance;
use fracas_live::sight::{Draw, Drawn, Regions};
use fracas_table::{LineTo, Table};

/// Draws tables as the pages show them.
pub(crate) struct Pages;

impl Draw for Pages {
    fn regions(&self, glance: &Glance<'_>) -> Regions {
        Regions {
            head: table::head(glance).into_string(),
            cast: cast(glance).into_string(),
            stage: stage(glance).into_string(),
            moment: moment::moment(glance, None).into_string(),
            tools: tools(glance).into_string(),
            whom: table::whom(glance).into_string(),
            desk: desk(glance).into_string(),
            overlay: match glance.who {
                Viewer::Spectator => overlay::parts(glance, &Part::ALL).into_string(),
                Viewer::Seat(_) => String::new(),
            },
            calls: moment::calls(glance),
            calls_of: moment::calls_of(glance),
        }
    }

    fn line(&self, table: &Table, who: Viewer, line: &LineTo) -> Drawn {
        Drawn { html: story::line(table, who, line).into_string(), said: story::said(table, who, line) }
    }

    fn news(&self, table: &Table, who: Viewer, line: &LineTo) -> String {
        story::news(table, who, line).into_string()
    }
}
