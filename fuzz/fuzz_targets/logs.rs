//! The target `logs`: see [`fracas_fuzz_targets::logs`].

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fracas_fuzz_targets::logs(bytes));
