//! The settings that a rulebook leaves to the table.

use crate::not_one_of;

/// Lists a game's settings: a field, its type, the ruling's id, and its words, the default first.
///
/// The type is an enum that is defined here by its variants with their words, or any other by
/// words and what they mean. It makes `Options`, with `IDS`, `set` and `words`.
///
/// ```
/// fracas_kernel::options! {
///     /// Who begins.
///     first: First = "who-begins" {
///         /// The players.
///         Players = "players",
///         /// The gamemaster.
///         Gamemaster = "gamemaster",
///     },
///     /// How many dice.
///     dice: u8 = "dice" ["two" = 2, "three" = 3],
/// }
/// let mut options = Options::default();
/// assert_eq!((options.first, options.dice), (First::Players, 2));
/// assert!(options.set("dice", "three").is_ok() && options.dice == 3);
/// assert_eq!(options.words(), [("who-begins", "players"), ("dice", "three")]);
/// assert_eq!(options.set("dice", "four").unwrap_err(), "expected one of two, three, found \"four\"");
/// ```
#[macro_export]
macro_rules! options {
    ($($(#[$doc:meta])* $field:ident: $type:ident = $id:literal $words:tt),* $(,)?) => {
        $($crate::options! { @type [$(#[$doc])*] $type $words })*

        /// The settings of the table: every ruling that the rulebook leaves to it.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub struct Options { $($(#[$doc])* pub $field: $type),* }

        impl Default for Options {
            fn default() -> Self {
                Options { $($field: $crate::options!(@words $type $words)[0].1),* }
            }
        }

        impl Options {
            /// The ids of the settings.
            pub const IDS: &'static [&'static str] = &[$($id),*];

            /// Sets one by its id and word.
            ///
            /// # Errors
            /// What would be right: the words it takes, or the settings there are.
            pub fn set(&mut self, id: &str, word: &str) -> Result<(), String> {
                match id {
                    $($id => $crate::set_option(&mut self.$field, $crate::options!(@words $type $words), word),)*
                    _ => Err($crate::no_option(id, Self::IDS)),
                }
            }

            /// Each with the word it stands at.
            pub fn words(&self) -> Vec<(&'static str, &'static str)> {
                vec![$({
                    let words: &[(&str, $type)] = $crate::options!(@words $type $words);
                    ($id, words.iter().find(|(_, value)| *value == self.$field).map_or("", |(word, _)| *word))
                }),*]
            }
        }
    };
    (@type [$($doc:tt)*] $type:ident { $($(#[$variant_doc:meta])* $variant:ident = $word:literal),* $(,)? }) => {
        $($doc)*
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum $type { $($(#[$variant_doc])* $variant),* }

        impl $type {
            pub(crate) const WORDS: &'static [(&'static str, $type)] = &[$(($word, $type::$variant)),*];
        }
    };
    (@type [$($doc:tt)*] $type:ident [$($values:tt)*]) => {};
    (@words $type:ident { $($variants:tt)* }) => { $type::WORDS };
    (@words $type:ident [$($word:literal = $value:expr),* $(,)?]) => { &[$(($word, $value)),*] };
}

/// Sets a field to the value of a word; what [`options!`](crate::options) sets by.
///
/// # Errors
/// The words there are.
pub fn set_option<T: Copy>(field: &mut T, words: &[(&'static str, T)], word: &str) -> Result<(), String> {
    let found = words.iter().find(|(one, _)| *one == word);
    let listed = || words.iter().map(|(word, _)| *word).collect::<Vec<_>>();
    *field = found.ok_or_else(|| not_one_of(word, &listed()))?.1;
    Ok(())
}
