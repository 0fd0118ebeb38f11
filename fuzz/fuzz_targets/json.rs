//! The target `json`: see [`fracas_fuzz_targets::json`].

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fracas_fuzz_targets::json(bytes));
