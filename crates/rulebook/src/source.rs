//! A rulebook as Rust source.

use std::fmt::{self, Display, Write};

use crate::book::{Book, Entry, OptionOf};

/// The generated file.
pub(crate) fn of(book: &Book) -> String {
    let mut out = String::with_capacity(1 << 19);
    // Writing to a string cannot fail.
    let _ = write(book, &mut out);
    out
}

fn write(book: &Book, out: &mut String) -> fmt::Result {
    let mut index: Vec<usize> = (0..book.entries.len()).collect();
    index.sort_by_key(|&at| &book.entries[at].id);

    writeln!(out, "/// The rulebook of this game: every clause, ruling, example and extension.")?;
    writeln!(out, "pub static RULEBOOK: ::fracas_kernel::Rulebook = ::fracas_kernel::Rulebook {{")?;
    writeln!(out, "    system: {:?},", book.system)?;
    writeln!(out, "    title: {:?},", book.title)?;
    writeln!(out, "    summary: {:?},", book.summary)?;
    writeln!(out, "    entries: &[")?;
    for entry in &book.entries {
        write_entry(entry, out)?;
    }
    writeln!(out, "    ],")?;
    writeln!(out, "    index: &{index:?},")?;
    writeln!(out, "}};\n")?;

    writeln!(out, "/// The clause, ruling or extension with an id, as a constant.")?;
    writeln!(out, "#[allow(unused_macros, reason = \"a game may name no clause yet\")]")?;
    writeln!(out, "macro_rules! clause {{")?;
    for (at, entry) in book.entries.iter().enumerate() {
        if entry.kind != "Example" {
            writeln!(
                out,
                "    ({:?}) => {{ const {{ ::fracas_kernel::Clause::of(&$crate::RULEBOOK.entries[{at}]) }} }};",
                entry.id
            )?;
        }
    }
    writeln!(
        out,
        "    ($other:literal) => {{ ::core::compile_error!(::core::concat!(\
         \"no clause, ruling or extension is called \", $other)) }};"
    )?;
    writeln!(out, "}}")
}

fn write_entry(entry: &Entry, out: &mut String) -> fmt::Result {
    writeln!(
        out,
        "        ::fracas_kernel::Entry {{ id: {:?}, section: {:?}, kind: ::fracas_kernel::Kind::{}, \
         says: {:?}, plain: {}, needs: &{:?}, beyond: {}, question: {}, why: {}, option: {} }},",
        entry.id,
        entry.section,
        entry.kind,
        entry.says,
        maybe(entry.plain.as_ref().map(|text| format!("{text:?}"))),
        entry.needs,
        entry.beyond,
        maybe(entry.question.as_ref().map(|text| format!("{text:?}"))),
        maybe(entry.why.as_ref().map(|text| format!("{text:?}"))),
        maybe(entry.option.as_ref().map(|option| option_of(option, entry))),
    )
}

fn option_of(option: &OptionOf, entry: &Entry) -> String {
    format!(
        "::fracas_kernel::OptionOf {{ values: &{:?}, default: {:?}, when: {:?}, question: {:?}, range: {} }}",
        option.values,
        option.default,
        option.when,
        entry.question.as_deref().unwrap_or_default(),
        maybe(option.range.map(|range| format!("{range:?}"))),
    )
}

/// `Some(...)` or `None`, spelt so that a name in scope cannot shadow it.
fn maybe(value: Option<impl Display>) -> String {
    match value {
        Some(value) => format!("::core::option::Option::Some({value})"),
        None => "::core::option::Option::None".to_owned(),
    }
}
