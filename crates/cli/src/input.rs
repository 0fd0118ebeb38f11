//! Lines of input: from a line editor at a terminal, else from standard input.

use crate::screen::Screen;
use rustyline::{Editor, error::ReadlineError, history::MemHistory};
use std::io::{self, BufRead, IsTerminal, Read};

/// The most bytes of a line; longer lines are refused.
const LONGEST: u64 = 64 << 10;

/// The result of reading a line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Typed {
    /// A line, trimmed.
    Line(String),
    /// The reason why a line cannot be used.
    Unreadable(&'static str),
    /// The end of the input.
    End,
    /// Ctrl-C.
    Interrupt,
}

/// A source of lines.
pub(crate) enum Input {
    /// A person at a terminal.
    Terminal(Box<Editor<(), MemHistory>>),
    /// A script or a file.
    Piped(Box<dyn BufRead>),
    /// Lines that stand for those of a person at a terminal.
    #[cfg(test)]
    Person(Box<dyn BufRead>),
}

impl Input {
    /// Standard input.
    pub(crate) fn stdin() -> Self {
        if io::stdin().is_terminal()
            && io::stdout().is_terminal()
            && let Ok(editor) = Editor::with_history(rustyline::Config::default(), MemHistory::new())
        {
            return Input::Terminal(Box::new(editor));
        }
        Input::Piped(Box::new(io::stdin().lock()))
    }

    /// Whether a person types at a terminal.
    pub(crate) const fn is_terminal(&self) -> bool {
        !matches!(self, Input::Piped(_))
    }

    /// Clears the history of typed lines, so that the next person cannot recall them.
    pub(crate) fn forget(&mut self) {
        if let Input::Terminal(editor) = self {
            // Clearing a history in memory cannot fail.
            let _ = editor.clear_history();
        }
    }

    /// Reads the next line. Piped lines are echoed after the prompt, so that the output reads
    /// like a terminal's.
    pub(crate) fn line(&mut self, prompt: &str, screen: &mut Screen) -> io::Result<Typed> {
        match self {
            Input::Terminal(editor) => {
                screen.flush()?;
                match editor.readline(&crate::screen::clean(prompt)) {
                    Ok(line) => {
                        let line = line.trim().to_owned();
                        if !line.is_empty() {
                            // The game goes on even if the history cannot grow.
                            let _ = editor.add_history_entry(&line);
                        }
                        Ok(Typed::Line(line))
                    }
                    Err(ReadlineError::Interrupted) => Ok(Typed::Interrupt),
                    Err(ReadlineError::Eof) => Ok(Typed::End),
                    Err(ReadlineError::Io(e)) => Err(e),
                    Err(e) => Err(io::Error::other(e.to_string())),
                }
            }
            Input::Piped(lines) => echoed(lines, prompt, screen),
            #[cfg(test)]
            Input::Person(lines) => echoed(lines, prompt, screen),
        }
    }
}

fn echoed(lines: &mut dyn BufRead, prompt: &str, screen: &mut Screen) -> io::Result<Typed> {
    screen.prompt(prompt)?;
    let typed = piped(lines)?;
    if let Typed::Line(line) = &typed {
        screen.verbatim(if line.is_empty() { "\n" } else { line })?;
    } else {
        screen.blank()?;
    }
    Ok(typed)
}

fn piped(lines: &mut dyn BufRead) -> io::Result<Typed> {
    let mut bytes = Vec::new();
    lines.take(LONGEST).read_until(b'\n', &mut bytes)?;
    if bytes.is_empty() {
        return Ok(Typed::End);
    }
    if bytes.len() as u64 == LONGEST && bytes.last() != Some(&b'\n') {
        // Skips the rest of the line, which must not be read as answers.
        loop {
            let mut more = Vec::new();
            lines.take(LONGEST).read_until(b'\n', &mut more)?;
            if more.is_empty() || more.last() == Some(&b'\n') {
                return Ok(Typed::Unreadable("that line is too long: at most 64 KiB"));
            }
        }
    }
    Ok(match String::from_utf8(bytes) {
        Ok(line) => Typed::Line(line.trim().to_owned()),
        Err(_) => Typed::Unreadable("that line is not UTF-8 text"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_overlong_line_is_one_line() {
        let mut text = vec![b'1'; 200_000];
        text.extend(b"\n2\n\xff\nlast");
        let mut lines = io::Cursor::new(text);
        assert!(matches!(piped(&mut lines), Ok(Typed::Unreadable(_))));
        assert_eq!(piped(&mut lines).unwrap(), Typed::Line("2".into()));
        assert!(matches!(piped(&mut lines), Ok(Typed::Unreadable(_))));
        assert_eq!(piped(&mut lines).unwrap(), Typed::Line("last".into()));
        assert_eq!(piped(&mut lines).unwrap(), Typed::End);
    }
}
