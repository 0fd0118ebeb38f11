//! Macros for a game's vocabulary: words, sets of words, references, sets of those.
//!
//! They use the crates `serde` and `borsh` of the game that calls them.

/// A plain enum of words: listed, named, serialised as its word.
///
/// ```
/// fracas_kernel::words!(
///     /// Where a conflict is fought.
///     Ground {
///         /// Dry.
///         Land = "land",
///         /// Wet.
///         Sea = "sea",
///     }
/// );
/// assert_eq!(Ground::ALL.len(), 2);
/// assert_eq!(Ground::Sea.to_string(), "sea");
/// ```
#[macro_export]
macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($(#[$vdoc:meta])* $variant:ident = $word:literal),* $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[derive(::serde::Serialize, ::serde::Deserialize, ::borsh::BorshSerialize, ::borsh::BorshDeserialize)]
        pub enum $name {
            $($(#[$vdoc])* #[serde(rename = $word)] $variant),*
        }

        impl $name {
            /// All of them, in the rulebook's order.
            pub const ALL: &'static [$name] = &[$($name::$variant),*];
            /// Each with its word, for reading setups.
            pub const WORDS: &'static [(&'static str, $name)] = &[$(($word, $name::$variant)),*];

            /// Its word.
            pub const fn word(self) -> &'static str {
                match self { $($name::$variant => $word),* }
            }
        }

        $crate::refer_to_nothing!($name);

        impl ::std::fmt::Display for $name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                f.pad(self.word())
            }
        }
    };
}

/// A small id that JSON writes as a reference: `"@c3"`.
///
/// Each letter has a range of its own, so that what comes into play later keeps
/// apart from what a setup named.
///
/// ```
/// fracas_kernel::reference!(
///     /// Somebody.
///     Char: 'c' in 0..20, 'n' in 20..26
/// );
/// assert_eq!(serde_json::to_string(&Char(21)).unwrap(), r#""@n1""#);
/// assert_eq!(serde_json::from_str::<Char>(r#""@c3""#).unwrap(), Char(3));
/// assert!(serde_json::from_str::<Char>(r#""@c20""#).is_err());
/// ```
#[macro_export]
macro_rules! reference {
    ($(#[$doc:meta])* $name:ident: $($letter:literal in $range:expr),+ $(,)?) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
        #[derive(::borsh::BorshSerialize, ::borsh::BorshDeserialize)]
        pub struct $name(pub u8);

        impl $name {
            /// The letters that mark such a reference, and which ids each is for.
            pub const LETTERS: &'static [(char, ::std::ops::Range<u8>)] = &[$(($letter, $range)),+];

            /// The letter of those that a setup names.
            pub const LETTER: char = [$($letter),+][0];

            /// The place in the table's list.
            pub const fn index(self) -> usize {
                self.0 as usize
            }

            /// The letter and the number that it is written with.
            fn written(self) -> (char, u8) {
                let found = Self::LETTERS.iter().find(|(_, range)| range.contains(&self.0));
                found.map_or(('?', self.0), |(letter, range)| (*letter, self.0 - range.start))
            }
        }

        impl $crate::Refers for $name {
            fn each_reference(&self, each: &mut impl FnMut(char, usize)) {
                let (letter, n) = self.written();
                each(letter, n.into());
            }
        }

        impl ::std::fmt::Display for $name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                let (letter, n) = self.written();
                write!(f, "@{letter}{n}")
            }
        }

        impl ::std::fmt::Debug for $name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                ::std::fmt::Display::fmt(self, f)
            }
        }

        impl ::serde::Serialize for $name {
            fn serialize<S: ::serde::Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
                s.collect_str(self)
            }
        }

        impl<'de> ::serde::Deserialize<'de> for $name {
            fn deserialize<D: ::serde::Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
                let text = <::std::borrow::Cow<'de, str> as ::serde::Deserialize>::deserialize(d)?;
                $crate::referred(&text, Self::LETTERS).map($name).ok_or_else(|| {
                    ::serde::de::Error::custom(concat!(
                        "expected the name of ", stringify!($name), ", as \"@name\""
                    ))
                })
            }
        }
    };
}

/// The id that a reference such as `@c3` means; what [`reference!`] reads by.
pub fn referred(text: &str, letters: &[(char, std::ops::Range<u8>)]) -> Option<u8> {
    let mut chars = text.strip_prefix('@')?.chars();
    let letter = chars.next()?;
    let (_, range) = letters.iter().find(|(one, _)| *one == letter)?;
    let id = chars.as_str().parse::<u8>().ok()?.checked_add(range.start)?;
    range.contains(&id).then_some(id)
}

/// A set of references, over an unsigned number with a bit for each.
///
/// ```
/// fracas_kernel::reference!(
///     /// Somebody.
///     Char: 'c' in 0..20
/// );
/// fracas_kernel::reference_set!(
///     /// Some of them.
///     CharSet of Char as u32
/// );
/// let two: CharSet = [Char(4), Char(1)].into_iter().collect();
/// assert_eq!(serde_json::to_string(&two).unwrap(), r#"["@c1","@c4"]"#);
/// assert!(serde_json::from_str::<CharSet>(r#"["@c1","@c1"]"#).is_err());
/// ```
#[macro_export]
macro_rules! reference_set {
    ($(#[$doc:meta])* $set:ident of $one:ident as $bits:ty) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
        #[derive(::borsh::BorshSerialize, ::borsh::BorshDeserialize)]
        pub struct $set(pub $bits);

        #[allow(dead_code, reason = "a game uses what it needs of a set")]
        impl $set {
            /// None of them.
            pub const NONE: $set = $set(0);

            /// Just this one.
            pub const fn one(one: $one) -> Self {
                $set(1 << one.0)
            }

            /// Whether it is in the set.
            pub const fn has(self, one: $one) -> bool {
                self.0 & (1 << one.0) != 0
            }

            /// With this one.
            #[must_use]
            pub const fn with(self, one: $one) -> Self {
                $set(self.0 | 1 << one.0)
            }

            /// Without this one.
            #[must_use]
            pub const fn without(self, one: $one) -> Self {
                $set(self.0 & !(1 << one.0))
            }

            /// Those in both.
            #[must_use]
            pub const fn and(self, other: Self) -> Self {
                $set(self.0 & other.0)
            }

            /// Those in either.
            #[must_use]
            pub const fn or(self, other: Self) -> Self {
                $set(self.0 | other.0)
            }

            /// Those in this one only.
            #[must_use]
            pub const fn minus(self, other: Self) -> Self {
                $set(self.0 & !other.0)
            }

            /// How many.
            pub const fn len(self) -> usize {
                self.0.count_ones() as usize
            }

            /// Whether there is none.
            pub const fn is_empty(self) -> bool {
                self.0 == 0
            }

            /// The first of them.
            pub const fn first(self) -> Option<$one> {
                if self.0 == 0 { None } else { Some($one(self.0.trailing_zeros() as u8)) }
            }

            /// In the table's order.
            pub fn iter(self) -> impl Iterator<Item = $one> + use<> {
                let mut left = self;
                ::std::iter::from_fn(move || {
                    let one = left.first()?;
                    left.0 &= left.0 - 1;
                    Some(one)
                })
            }
        }

        impl $crate::Refers for $set {
            fn each_reference(&self, each: &mut impl FnMut(char, usize)) {
                self.iter().for_each(|one| $crate::Refers::each_reference(&one, each));
            }
        }

        impl FromIterator<$one> for $set {
            fn from_iter<I: IntoIterator<Item = $one>>(all: I) -> Self {
                all.into_iter().fold($set::NONE, $set::with)
            }
        }

        impl ::std::fmt::Debug for $set {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                f.debug_set().entries(self.iter()).finish()
            }
        }

        impl ::serde::Serialize for $set {
            fn serialize<S: ::serde::Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
                s.collect_seq(self.iter())
            }
        }

        impl<'de> ::serde::Deserialize<'de> for $set {
            fn deserialize<D: ::serde::Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
                let all = <Vec<$one> as ::serde::Deserialize>::deserialize(d)?;
                let set: $set = all.iter().copied().collect();
                if set.len() == all.len() {
                    Ok(set)
                } else {
                    Err(::serde::de::Error::custom("the same name twice"))
                }
            }
        }
    };
}

/// A set of words of one enum made by [`words!`](crate::words): eight at most, or as many as the bits of
/// the type that it names (`StatSet of Stat as u16`).
///
/// ```
/// fracas_kernel::words!(
///     /// A stat.
///     Stat {
///         /// Of the body.
///         Body = "body",
///         /// Of the mind.
///         Mind = "mind",
///     }
/// );
/// fracas_kernel::word_set!(
///     /// Some stats.
///     StatSet of Stat
/// );
/// assert!(serde_json::from_str::<StatSet>(r#"["mind"]"#).unwrap().has(Stat::Mind));
/// ```
#[macro_export]
macro_rules! word_set {
    ($(#[$doc:meta])* $set:ident of $one:ident) => {
        $crate::word_set! { $(#[$doc])* $set of $one as u8 }
    };
    ($(#[$doc:meta])* $set:ident of $one:ident as $bits:ty) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
        #[derive(::borsh::BorshSerialize, ::borsh::BorshDeserialize)]
        pub struct $set(pub $bits);

        #[allow(dead_code, reason = "a game uses what it needs of a set")]
        impl $set {
            /// None.
            pub const NONE: $set = $set(0);

            /// Just this one.
            pub const fn one(one: $one) -> Self {
                $set(1 << one as u8)
            }

            /// Whether it is in the set.
            pub const fn has(self, one: $one) -> bool {
                self.0 & (1 << one as u8) != 0
            }

            /// With this one.
            #[must_use]
            pub const fn with(self, one: $one) -> Self {
                $set(self.0 | 1 << one as u8)
            }

            /// Without this one.
            #[must_use]
            pub const fn without(self, one: $one) -> Self {
                $set(self.0 & !(1 << one as u8))
            }

            /// Those in either.
            #[must_use]
            pub const fn or(self, other: Self) -> Self {
                $set(self.0 | other.0)
            }

            /// Those in this one only.
            #[must_use]
            pub const fn minus(self, other: Self) -> Self {
                $set(self.0 & !other.0)
            }

            /// How many.
            pub const fn len(self) -> usize {
                self.0.count_ones() as usize
            }

            /// Whether there is none.
            pub const fn is_empty(self) -> bool {
                self.0 == 0
            }

            /// In the rulebook's order.
            pub fn iter(self) -> impl Iterator<Item = $one> {
                $one::ALL.iter().copied().filter(move |&one| self.has(one))
            }
        }

        $crate::refer_to_nothing!($set);

        impl FromIterator<$one> for $set {
            fn from_iter<I: IntoIterator<Item = $one>>(all: I) -> Self {
                all.into_iter().fold($set::NONE, $set::with)
            }
        }

        impl ::std::fmt::Debug for $set {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                f.debug_set().entries(self.iter()).finish()
            }
        }

        impl ::serde::Serialize for $set {
            fn serialize<S: ::serde::Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
                s.collect_seq(self.iter())
            }
        }

        impl<'de> ::serde::Deserialize<'de> for $set {
            fn deserialize<D: ::serde::Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
                let all = <Vec<$one> as ::serde::Deserialize>::deserialize(d)?;
                Ok(all.into_iter().collect())
            }
        }
    };
}
