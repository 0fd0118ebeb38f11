//! The target `documents`: see [`fracas_fuzz_targets::documents`].

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fracas_fuzz_targets::documents(bytes));
