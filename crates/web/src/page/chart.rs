//! How a fight went, as a chart: a row for each number and each status that changed.

use fracas_kernel::TagShape;
use fracas_live::course::{Course, Line, Span};
use maud::{Markup, html};

/// The width of a row and its height, in the chart's own units.
const WIDTH: usize = 1_000;
const HEIGHT: u32 = 100;

/// The chart; empty if nothing has changed.
pub(crate) fn chart(course: &Course) -> Markup {
    html! {
        @if !course.tracks.is_empty() {
            section .chart aria-label="How it went" {
                h2 { "How it went" }
                p .soft { "From the first line on the left to the last on the right, as you saw it." }
                @for track in &course.tracks {
                    h3 { (track.title) }
                    @for line in track.meters.iter().filter(|line| line.steps.len() > 1) { (number(line, course.end)) }
                    @for span in &track.tags { (status(span, course.end)) }
                }
                div .track .axis aria-hidden="true" {
                    span .label { "Line" } span .scale {}
                    span .ends { span { "1" } span { (course.end.div_ceil(2)) } span { (course.end) } }
                }
            }
        }
    }
}

/// The position of a moment in a row.
fn x(at: usize, end: usize) -> usize {
    at.min(end) * WIDTH / end.max(1)
}

fn number(line: &Line, end: usize) -> Markup {
    let most = line.most.max(line.steps.iter().map(|(_, value)| *value).max().unwrap_or(0)).max(1);
    let y = |value: u32| HEIGHT - value.min(most) * HEIGHT / most;
    let mut path = String::new();
    for (at, value) in &line.steps {
        path.push_str(&if path.is_empty() {
            format!("M{} {}", x(*at, end), y(*value))
        } else {
            format!("H{}V{}", x(*at, end), y(*value))
        });
    }
    path.push_str(&format!("H{WIDTH}"));
    let begin = x(line.steps.first().map_or(0, |(at, _)| *at), end);
    let values: Vec<String> = line.steps.iter().map(|(_, value)| value.to_string()).collect();
    let last = values.last().map_or("", String::as_str);
    html! {
        div .track {
            span .label { (line.label) " " b { (last) } }
            span .scale aria-hidden="true" { span { (most) } span { "0" } }
            svg .number viewBox={ "0 0 " (WIDTH) " " (HEIGHT) } preserveAspectRatio="none" role="img"
                aria-label={ (line.label) ": " (values.join(", ")) ", of " (most) } {
                @if let Some(alarm) = line.alarm {
                    path .alarm d={ "M0 " (y(alarm)) "H" (WIDTH) } {}
                }
                path .area d={ (path) "V" (HEIGHT) "H" (begin) "Z" } {}
                path .line d=(path) {}
            }
        }
    }
}

fn status(span: &Span, end: usize) -> Markup {
    let class = match span.shape {
        TagShape::Passing => "status",
        TagShape::Lasting => "status lasting",
        TagShape::Plain => "status plain",
    };
    let held = span.times.last().is_some_and(|(_, end)| end.is_none());
    let times = match (span.times.len(), held) {
        (1, true) => "until the end".to_owned(),
        (1, false) => "for a while".to_owned(),
        (n, true) => format!("{n} times, and at the end"),
        (n, false) => format!("{n} times"),
    };
    html! {
        div .track {
            span .label { (span.text) }
            span .scale {}
            svg class=(class) viewBox={ "0 0 " (WIDTH) " 10" } preserveAspectRatio="none" role="img"
                aria-label={ (span.text) ", " (times) } {
                @for (from, to) in &span.times {
                    @let (from, to) = (x(*from, end), to.map_or(WIDTH, |to| x(to, end)));
                    rect x=(from) y="0" width=((to.saturating_sub(from)).max(4)) height="10" {}
                }
            }
        }
    }
}
