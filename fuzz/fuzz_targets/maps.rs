//! The target `maps`: see [`fracas_fuzz_targets::maps`].

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fracas_fuzz_targets::maps(bytes));
