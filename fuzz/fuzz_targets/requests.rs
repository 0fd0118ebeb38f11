//! The target `requests`: see [`fracas_fuzz_targets::requests`].

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fracas_fuzz_targets::requests(bytes));
