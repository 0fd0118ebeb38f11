//! What a value refers to, found field by field.

use crate::{Clause, Label};

/// A value that may refer to things, as an answer or an event does.
///
/// [`reference!`](crate::reference), [`reference_set!`](crate::reference_set), [`words!`](crate::words) and
/// [`word_set!`](crate::word_set) make their types such values, and [`refers!`](crate::refers) makes a
/// struct or an enum of fields one: no field can be forgotten.
pub trait Refers {
    /// Every reference in it, in the order of its fields: the `n`th name of kind `letter`.
    fn each_reference(&self, each: &mut impl FnMut(char, usize));
}

impl<T: Refers> Refers for Option<T> {
    fn each_reference(&self, each: &mut impl FnMut(char, usize)) {
        if let Some(value) = self {
            value.each_reference(each);
        }
    }
}

impl<T: Refers, const N: usize> Refers for [T; N] {
    fn each_reference(&self, each: &mut impl FnMut(char, usize)) {
        self.iter().for_each(|value| value.each_reference(each));
    }
}

impl<T: Refers, const N: usize> Refers for arrayvec::ArrayVec<T, N> {
    fn each_reference(&self, each: &mut impl FnMut(char, usize)) {
        self.iter().for_each(|value| value.each_reference(each));
    }
}

/// Says of types that they refer to nothing: `refer_to_nothing!(Grip, Face)`.
#[macro_export]
macro_rules! refer_to_nothing {
    ($($type:ty),+ $(,)?) => {
        $(impl $crate::Refers for $type {
            fn each_reference(&self, _: &mut impl FnMut(char, usize)) {}
        })+
    };
}

impl<T: Refers> Refers for Vec<T> {
    fn each_reference(&self, each: &mut impl FnMut(char, usize)) {
        self.iter().for_each(|value| value.each_reference(each));
    }
}

// Whom a table of a setup refers to is looked up as it is read.
refer_to_nothing!(serde_json::Value);

refer_to_nothing!(bool, u8, u16, u32, u64, usize, i8, i16, i32, i64, String, Label, Clause, crate::Seat);

/// Whether a value is its type's default; serde asks by reference.
pub fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// Makes a struct or an enum one that refers to what its fields refer to, and defines it:
/// a field whose type is no [`Refers`] does not compile. A field `risk: u8 = default` may be left
/// out of JSON, which it is where it is its type's default.
///
/// ```
/// fracas_kernel::reference!(
///     /// Somebody.
///     Char: 'c' in 0..20
/// );
/// fracas_kernel::refers! {
///     /// What is answered.
///     #[derive(Clone, Copy, Debug, serde::Serialize)]
///     pub enum Answer {
///         /// Nothing is done.
///         Pass,
///         /// The next is this one.
///         Next(Char),
///         /// A blow.
///         Strike { who: Char, on: Option<Char>, risk: u8 = default },
///     }
/// }
/// let mut found = Vec::new();
/// let strike = Answer::Strike { who: Char(2), on: Some(Char(5)), risk: 1 };
/// fracas_kernel::Refers::each_reference(&strike, &mut |letter, n| found.push((letter, n)));
/// assert_eq!(found, [('c', 2), ('c', 5)]);
/// let light = Answer::Strike { who: Char(2), on: None, risk: 0 };
/// assert_eq!(serde_json::to_string(&light).unwrap(), r#"{"Strike":{"who":"@c2","on":null}}"#);
/// ```
#[macro_export]
macro_rules! refers {
    ($(#[$meta:meta])* $vis:vis struct $name:ident {
        $($(#[$field_meta:meta])* $field_vis:vis $field:ident: $type:ty $(= $default:ident)?),* $(,)?
    }) => {
        $(#[$meta])*
        $vis struct $name {
            $(
                $(#[$field_meta])*
                $(#[serde($default, skip_serializing_if = "::fracas_kernel::is_default")])?
                $field_vis $field: $type
            ),*
        }

        impl $crate::Refers for $name {
            fn each_reference(&self, each: &mut impl FnMut(char, usize)) {
                $($crate::Refers::each_reference(&self.$field, each);)*
            }
        }
    };
    ($(#[$meta:meta])* $vis:vis enum $name:ident {
        $(
            $(#[$variant_meta:meta])*
            $variant:ident $(($one:ty))? $({
                $($(#[$field_meta:meta])* $field:ident: $type:ty $(= $default:ident)?),+ $(,)?
            })?
        ),* $(,)?
    }) => {
        $(#[$meta])*
        $vis enum $name {
            $(
                $(#[$variant_meta])*
                $variant $(($one))? $({
                    $(
                        $(#[$field_meta])*
                        $(#[serde($default, skip_serializing_if = "::fracas_kernel::is_default")])?
                        $field: $type
                    ),+
                })?
            ),*
        }

        impl $crate::Refers for $name {
            #[allow(unused_variables, reason = "an enum may refer to nothing")]
            fn each_reference(&self, each: &mut impl FnMut(char, usize)) {
                match self {
                    $($crate::refers!(@pattern $name $variant one $(($one))? $({ $($field),+ })?) => {
                        $(<$one as $crate::Refers>::each_reference(one, each);)?
                        $($($crate::Refers::each_reference($field, each);)+)?
                    })*
                }
            }
        }
    };
    (@pattern $name:ident $variant:ident $held:ident) => { $name::$variant };
    (@pattern $name:ident $variant:ident $held:ident ($one:ty)) => { $name::$variant($held) };
    (@pattern $name:ident $variant:ident $held:ident { $($field:ident),+ }) => { $name::$variant { $($field),+ } };
}
