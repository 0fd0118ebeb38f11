//! What a viewer sees of a table, as data.

/// Makes the structs of a game's view: compared, printed, serialised with kebab-case names. A field
/// `tie: Option<Tie> = default` is left out of JSON where it is its type's default.
///
/// ```
/// fracas_kernel::view! {
///     /// Somebody.
///     pub struct Seen { pub full_name: String, pub members: Option<u8> = default }
/// }
/// let seen = Seen { full_name: "Ana".to_owned(), members: None };
/// assert_eq!(serde_json::to_string(&seen).unwrap(), r#"{"full-name":"Ana"}"#);
/// ```
#[macro_export]
macro_rules! view {
    ($(
        $(#[$meta:meta])* $vis:vis struct $name:ident {
            $($(#[$field_meta:meta])* $field_vis:vis $field:ident: $type:ty $(= $default:ident)?),+ $(,)?
        }
    )+) => {$(
        $(#[$meta])*
        #[derive(Clone, PartialEq, Eq, Debug, ::serde::Serialize)]
        #[serde(rename_all = "kebab-case")]
        $vis struct $name {
            $(
                $(#[$field_meta])*
                $(#[serde($default, skip_serializing_if = "::fracas_kernel::is_default")])?
                $field_vis $field: $type
            ),+
        }
    )+};
}
