//! A page of headings, sentences, tables and plots, as Markdown or as HTML that needs nothing else.

use super::{Bin, Holder};
use crate::{ENDS, Mean};
use std::fmt::Write as _;

/// A page.
pub(super) struct Page {
    pub(super) title: String,
    /// A few words under the title.
    pub(super) about: String,
    /// The page in a few sentences.
    pub(super) summary: Vec<String>,
    pub(super) sections: Vec<Section>,
}

/// A section of a page.
pub(super) struct Section {
    pub(super) title: &'static str,
    pub(super) blocks: Vec<Block>,
}

/// A part of a section. All texts are as people wrote them: what writes a page escapes them.
pub(super) enum Block {
    /// A sentence or several.
    Text(String),
    /// A sentence that helps to read what stands before it.
    Note(String),
    /// The colours of the ends.
    Legend([&'static str; ENDS]),
    Table {
        columns: Vec<Column>,
        rows: Vec<Vec<Cell>>,
    },
    /// How many conflicts are how long; what is counted, and the bins.
    Histogram(&'static str, Vec<Bin>),
    /// Items that few want to read, under a heading.
    Folded(String, Vec<String>),
    /// What to type.
    Command(String),
}

/// A column of a table.
pub(super) enum Column {
    Text(&'static str),
    Number(&'static str),
    /// A plot, which Markdown leaves out.
    Plot(&'static str),
}

/// A cell of a table.
pub(super) enum Cell {
    Text(String),
    Code(String),
    Plot(Plot),
}

/// A plot in a line of a table.
pub(super) enum Plot {
    /// The shares of the ends, side by side.
    Ends([Mean; ENDS]),
    /// A share with its interval.
    Share(Mean, Holder),
    /// A difference with its interval, and the greatest there is in the table.
    Difference(Mean, f64),
}

impl Page {
    /// The page as Markdown.
    pub(super) fn markdown(&self) -> String {
        let mut out = format!("# {}\n\n{}\n\n", marked(&self.title), marked(&self.about));
        let _ = writeln!(out, "{}", marked(&self.summary.join(" ")));
        for (nth, section) in self.sections.iter().enumerate() {
            let _ = write!(out, "\n## {}. {}\n", nth + 1, section.title);
            for block in &section.blocks {
                out.push('\n');
                block.markdown(&mut out);
            }
        }
        out
    }

    /// The page as HTML.
    pub(super) fn html(&self) -> String {
        let title = escaped(&self.title);
        let mut out = format!(
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <meta name=\"color-scheme\" content=\"light dark\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n\
             <title>{title}: report</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<header>\n<h1>{title}</h1>\n\
             <p class=\"about\">{}</p>\n",
            escaped(&self.about)
        );
        let [first, rest @ ..] = &self.summary[..] else { return out };
        let _ = writeln!(
            out,
            "<p class=\"lead\">{}</p>\n<p>{}</p>\n</header>\n<main>",
            escaped(first),
            escaped(&rest.join(" "))
        );
        for (nth, section) in self.sections.iter().enumerate() {
            let nth = nth + 1;
            let _ = writeln!(
                out,
                "<section id=\"s{nth}\">\n<h2><span>{nth}</span> {}</h2>",
                escaped(section.title)
            );
            section.blocks.iter().for_each(|block| block.html(&mut out));
            out.push_str("</section>\n");
        }
        out.push_str("</main>\n</body>\n</html>\n");
        out
    }
}

impl Block {
    fn markdown(&self, out: &mut String) {
        match self {
            Block::Text(text) => _ = writeln!(out, "{}", marked(text)),
            Block::Note(text) => _ = writeln!(out, "*{}*", marked(text)),
            // The columns of the table say what the colours mean.
            Block::Legend(_) => out.truncate(out.len() - 1),
            Block::Table { columns, rows } => table_markdown(columns, rows, out),
            Block::Histogram(what, bins) => {
                let most = bins.iter().map(|bin| bin.count).max().unwrap_or(0).max(1);
                let _ = write!(out, "| {what} | conflicts | |\n|---:|---:|:---|\n");
                for bin in bins {
                    let bar = "█".repeat(usize::try_from((bin.count * 30).div_ceil(most)).unwrap_or(30));
                    let _ = writeln!(out, "| {} | {} | {bar} |", range(bin), bin.count);
                }
            }
            Block::Folded(title, items) => {
                let items: Vec<String> = items.iter().map(|item| marked(item)).collect();
                let _ = writeln!(out, "{}: {}.", marked(title), items.join("; "));
            }
            Block::Command(command) => _ = writeln!(out, "    {}", plain(command)),
        }
    }

    fn html(&self, out: &mut String) {
        match self {
            Block::Text(text) => _ = writeln!(out, "<p>{}</p>", escaped(text)),
            Block::Note(text) => _ = writeln!(out, "<p class=\"note\">{}</p>", escaped(text)),
            Block::Legend(ends) => {
                out.push_str("<ul class=\"legend\">");
                for (nth, end) in ends.iter().enumerate() {
                    let _ = write!(out, "<li><i class=\"e{nth}\"></i>{}</li>", escaped(end));
                }
                out.push_str("</ul>\n");
            }
            Block::Table { columns, rows } => table_html(columns, rows, out),
            Block::Histogram(what, bins) => histogram(what, bins, out),
            Block::Folded(title, items) => {
                let _ = write!(out, "<details><summary>{}</summary><ul>", escaped(title));
                items.iter().for_each(|item| _ = write!(out, "<li>{}</li>", escaped(item)));
                out.push_str("</ul></details>\n");
            }
            Block::Command(command) => _ = writeln!(out, "<pre>{}</pre>", escaped(command)),
        }
    }
}

fn table_markdown(columns: &[Column], rows: &[Vec<Cell>], out: &mut String) {
    let mut line = |cells: Vec<String>| _ = writeln!(out, "| {} |", cells.join(" | "));
    let heads = columns.iter().filter_map(|column| match column {
        Column::Text(title) => Some((marked(title), ":---".to_owned())),
        Column::Number(title) => Some((marked(title), "---:".to_owned())),
        Column::Plot(_) => None,
    });
    let (titles, rules): (Vec<String>, Vec<String>) = heads.unzip();
    line(titles);
    line(rules);
    for row in rows {
        let cells = row.iter().filter_map(|cell| match cell {
            Cell::Text(text) => Some(marked(text)),
            // A backtick cannot stand in code, and a bar ends a cell even there.
            Cell::Code(text) if text.contains(['`', '|', '\\']) => Some(marked(text)),
            Cell::Code(text) => Some(format!("`{}`", plain(text))),
            Cell::Plot(_) => None,
        });
        line(cells.collect());
    }
}

fn table_html(columns: &[Column], rows: &[Vec<Cell>], out: &mut String) {
    out.push_str("<div class=\"wide\"><table><thead><tr>");
    for column in columns {
        let (class, title) = match column {
            Column::Text(title) => ("", title),
            Column::Number(title) => (" class=\"n\"", title),
            Column::Plot(title) => (" class=\"plot\"", title),
        };
        let _ = write!(out, "<th scope=\"col\"{class}>{}</th>", escaped(title));
    }
    out.push_str("</tr></thead><tbody>\n");
    for row in rows {
        out.push_str("<tr>");
        for (column, cell) in columns.iter().zip(row) {
            let class = match column {
                Column::Text(_) => "",
                Column::Number(_) => " class=\"n\"",
                Column::Plot(_) => " class=\"plot\"",
            };
            let _ = write!(out, "<td{class}>");
            match cell {
                Cell::Text(text) => out.push_str(&escaped(text)),
                Cell::Code(text) => _ = write!(out, "<code>{}</code>", escaped(text)),
                Cell::Plot(plot) => plot.svg(out),
            }
            out.push_str("</td>");
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</tbody></table></div>\n");
}

/// The width of a plot in a table, in its own units.
const WIDE: f64 = 200.0;

impl Plot {
    /// The numbers stand beside it, so that a reader by ear misses nothing.
    fn svg(&self, out: &mut String) {
        let _ =
            write!(out, "<svg aria-hidden=\"true\" viewBox=\"0 0 {WIDE} 14\" preserveAspectRatio=\"none\">");
        match self {
            Plot::Ends(ends) => {
                let mut from = 0.0;
                for (nth, end) in ends.iter().enumerate() {
                    let wide = end.mean * WIDE;
                    let _ = write!(
                        out,
                        "<rect class=\"e{nth}\" x=\"{from:.1}\" width=\"{wide:.1}\" height=\"14\"/>"
                    );
                    from += wide;
                }
            }
            Plot::Share(Mean { mean, low, high }, holder) => {
                let class = match holder {
                    Holder::Players => "e0",
                    Holder::Gm => "e1",
                };
                let [at, low, high] = [mean, low, high].map(|share| share * WIDE);
                let _ = write!(
                    out,
                    "<rect class=\"ground\" width=\"{WIDE}\" height=\"14\"/>\
                     <rect class=\"{class}\" width=\"{at:.1}\" height=\"14\"/>\
                     <path class=\"reach\" d=\"M{low:.1} 7H{high:.1}\"/>"
                );
            }
            Plot::Difference(Mean { mean, low, high }, most) => {
                let x = |by: f64| WIDE / 2.0 * (1.0 + (by / most.max(f64::EPSILON)).clamp(-1.0, 1.0));
                let class = if *mean > 0.0 { "e0" } else { "e1" };
                let (from, wide) = (x(mean.min(0.0)), x(mean.abs()) - WIDE / 2.0);
                let _ = write!(
                    out,
                    "<rect class=\"ground\" width=\"{WIDE}\" height=\"14\"/>\
                     <rect class=\"{class}\" x=\"{from:.1}\" width=\"{wide:.1}\" height=\"14\"/>\
                     <path class=\"reach\" d=\"M{:.1} 7H{:.1}\"/><path class=\"axis\" d=\"M{} 0V14\"/>",
                    x(*low),
                    x(*high),
                    WIDE / 2.0
                );
            }
        }
        out.push_str("</svg>");
    }
}

/// How many conflicts are how long, as bars.
fn histogram(what: &str, bins: &[Bin], out: &mut String) {
    const HIGH: f64 = 120.0;
    let most = bins.iter().map(|bin| bin.count).max().unwrap_or(0).max(1) as f64;
    let step = 700.0 / bins.len().max(1) as f64;
    let wide = (step - 4.0).min(60.0);
    let _ = write!(
        out,
        "<figure><svg role=\"img\" aria-label=\"Conflicts by their {}\" viewBox=\"0 0 720 176\">",
        escaped(what)
    );
    for (nth, bin) in bins.iter().enumerate() {
        let middle = 10.0 + step * (nth as f64 + 0.5);
        let high = bin.count as f64 / most * HIGH;
        let _ = write!(
            out,
            "<rect class=\"bin\" x=\"{:.1}\" y=\"{:.1}\" width=\"{wide:.1}\" height=\"{high:.1}\"/>\
             <text x=\"{middle:.1}\" y=\"{:.1}\">{}</text>\
             <text class=\"scale\" x=\"{middle:.1}\" y=\"160\">{}</text>",
            middle - wide / 2.0,
            20.0 + HIGH - high,
            14.0 + HIGH - high,
            bin.count,
            match (bin.to, nth % 2) {
                // Numbers below narrow bars would run into each other.
                (Some(_), 1) if bins.len() > 8 && bin.from >= 1_000 => String::new(),
                (Some(_), _) => bin.from.to_string(),
                (None, _) => format!("{}+", bin.from),
            }
        );
    }
    let _ = write!(out, "<path class=\"axis\" d=\"M10 {0}H710\"/></svg>", 20.0 + HIGH);
    let wide = bins.iter().find_map(|bin| Some(bin.to? - bin.from + 1)).unwrap_or(1);
    let words = if wide == 1 {
        String::new()
    } else {
        format!(", from the number below each bar on, {wide} to a bar")
    };
    let _ = writeln!(out, "<figcaption>Conflicts by their {}{words}</figcaption></figure>", escaped(what));
}

/// The lengths of a bin.
fn range(bin: &Bin) -> String {
    match bin.to {
        Some(to) if to == bin.from => to.to_string(),
        Some(to) => format!("{} to {to}", bin.from),
        None => format!("{} and more", bin.from),
    }
}

/// A text on one line, without what could hide or turn around a part of it.
fn plain(text: &str) -> String {
    let turns =
        |c: char| matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let words = text.split(|c: char| c.is_whitespace() || c.is_control());
    let words: Vec<String> =
        words.filter(|word| !word.is_empty()).map(|word| word.replace(turns, "")).collect();
    words.join(" ")
}

/// A text for HTML.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in plain(text).chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c => out.push(c),
        }
    }
    out
}

/// A text for Markdown, in which nothing of it is markup, and no HTML.
fn marked(text: &str) -> String {
    let mut out = String::new();
    for c in plain(text).chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '~' | '#' => out.extend(['\\', c]),
            c => out.push(c),
        }
    }
    out
}

/// The colours and measures of a page, by day, by night and on paper.
const STYLE: &str = "\
:root{--paper:#fbf8f0;--ink:#2b2822;--faint:#6b6455;--line:#ddd5c2;--ground:#efe9da;--e0:#2f6f66;--e1:#a3452c;\
--e2:#c79a3a;--e3:#8f8a80;--e4:#c9c3b4;color-scheme:light dark}\
@media(prefers-color-scheme:dark){:root{--paper:#1b1a17;--ink:#e8e2d3;--faint:#a39b88;--line:#3d392f;\
--ground:#2a2822;--e0:#5fb3a6;--e1:#d9775a;--e2:#d8b25c;--e3:#857f73;--e4:#57524a}}\
*{box-sizing:border-box}\
body{margin:0 auto;max-width:52rem;padding:2.5rem 1.25rem 4rem;background:var(--paper);color:var(--ink);\
font:1rem/1.55 Georgia,\"Iowan Old Style\",\"Times New Roman\",serif;-webkit-print-color-adjust:exact;print-color-adjust:exact}\
h1{font-size:2.1rem;line-height:1.15;margin:0;overflow-wrap:anywhere}\
h2{font-size:1.25rem;margin:2.75rem 0 .5rem;padding-top:.75rem;border-top:1px solid var(--line);break-after:avoid}\
h2 span{color:var(--faint);margin-right:.35rem}\
p{margin:.6rem 0}.about,.note,figcaption,th,.scale,.legend,summary{color:var(--faint)}\
.about{margin:.25rem 0 1.25rem}.lead{font-size:1.25rem;line-height:1.45}.note,figcaption{font-size:.9rem}\
.wide{overflow-x:auto;margin:.9rem 0}\
table{border-collapse:collapse;width:100%;font-size:.93rem;font-variant-numeric:lining-nums tabular-nums}\
th{font-weight:normal;text-align:left;font-size:.85rem;vertical-align:bottom}\
th,td{padding:.3rem .75rem .3rem 0;border-bottom:1px solid var(--line);overflow-wrap:break-word}\
th:first-child,td:first-child{min-width:7rem}\
td{vertical-align:top}.n{text-align:right;white-space:nowrap}.plot{width:26%;min-width:7rem;padding-right:0}\
tr{break-inside:avoid}\
td svg{display:block;width:100%;height:.8rem;margin-top:.4rem}\
li{overflow-wrap:anywhere}td code{white-space:nowrap}code,pre{font:.85em ui-monospace,\"DejaVu Sans Mono\",Menlo,monospace}code{color:var(--faint)}\
pre{background:var(--ground);padding:.75rem 1rem;white-space:pre-wrap;overflow-wrap:anywhere}\
.e0{fill:var(--e0);background:var(--e0)}.e1{fill:var(--e1);background:var(--e1)}.e2{fill:var(--e2);background:var(--e2)}\
.e3{fill:var(--e3);background:var(--e3)}.e4{fill:var(--e4);background:var(--e4)}.ground{fill:var(--ground)}\
.reach{stroke:var(--ink);stroke-width:2;vector-effect:non-scaling-stroke}\
.axis{stroke:var(--faint);stroke-width:1;vector-effect:non-scaling-stroke}.bin{fill:var(--e0)}\
figure{margin:1rem 0;break-inside:avoid}figure svg{width:100%;height:auto;display:block}\
figure text{font-size:13px;text-anchor:middle;fill:var(--ink)}figure .scale{fill:var(--faint)}\
.legend{list-style:none;margin:.5rem 0;padding:0;display:flex;flex-wrap:wrap;gap:.2rem 1.25rem;font-size:.9rem}\
.legend i{display:inline-block;width:.8em;height:.8em;margin-right:.4em}\
details{margin:.75rem 0;font-size:.93rem}summary{cursor:pointer}details ul{margin:.4rem 0;padding-left:1.25rem}\
@media print{:root{--paper:#fff;--ink:#000;--faint:#444;--line:#bbb;--ground:#eee;--e0:#2f6f66;--e1:#a3452c;\
--e2:#c79a3a;--e3:#8f8a80;--e4:#c9c3b4}body{max-width:none;padding:0;font-size:10pt}h2{margin-top:1.5rem}}";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_cannot_become_markup() {
        for (text, html, markdown) in [
            ("Ana", "Ana", "Ana"),
            ("a\n# b\u{7}\u{202e}c", "a # b c", "a \\# b c"),
            ("<script>'&\"", "&lt;script&gt;&#39;&amp;&quot;", "&lt;script&gt;'&amp;\""),
            ("a|b`c*[d](e)", "a|b`c*[d](e)", "a\\|b\\`c\\*\\[d\\](e)"),
        ] {
            assert_eq!((escaped(text).as_str(), marked(text).as_str()), (html, markdown), "{text:?}");
        }
    }
}
