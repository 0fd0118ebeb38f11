//! The target `forms`: see [`fracas_fuzz_targets::forms`].

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fracas_fuzz_targets::forms(bytes));
