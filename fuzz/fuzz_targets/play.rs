//! The target `play`: see [`fracas_fuzz_targets::play`].

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fracas_fuzz_targets::play(bytes));
