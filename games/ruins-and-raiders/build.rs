//! Turns the rulebook into constants, so that an unknown clause does not compile.
fn main() {
    fracas_rulebook::build("../../rulebook/ruins-and-raiders.toml");
}
