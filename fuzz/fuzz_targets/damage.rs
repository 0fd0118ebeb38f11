//! The target `damage`: see [`fracas_fuzz_targets::damage`].

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fracas_fuzz_targets::damage(bytes));
