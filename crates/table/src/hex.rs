//! Bytes as hexadecimal text.

use std::fmt::Write;

/// Writes two lower-case digits for each byte.
pub(crate) fn write(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len() * 2);
    for byte in bytes {
        // Writing to a string cannot fail.
        let _ = write!(out, "{byte:02x}");
    }
    out
}

/// Parses the bytes; `None` if the text is not pairs of digits.
pub(crate) fn read(text: &str) -> Option<Vec<u8>> {
    let digit = |b: u8| char::from(b).to_digit(16);
    let (pairs, rest) = text.as_bytes().as_chunks::<2>();
    if !rest.is_empty() {
        return None;
    }
    pairs.iter().map(|[high, low]| u8::try_from(digit(*high)? * 16 + digit(*low)?).ok()).collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn there_and_back() {
        let all: Vec<u8> = (0..=255).collect();
        assert_eq!(super::read(&super::write(&all)), Some(all));
        assert_eq!(super::read("abc"), None);
        assert_eq!(super::read("zz"), None);
    }
}
