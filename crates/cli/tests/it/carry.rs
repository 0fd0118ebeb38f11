//! Carrying characters from one session into the next.

use crate::common::Desk;

/// The characters of a bundled encounter, without what they readied.
const NEXT: &str = "title = \"Next\"\ngame = \"judge-two\"\n[[player]]\nname = \"Ana\"\n\
    [[character]]\nuse = \"Tamsin\"\n[[character]]\nname = \"Oren\"\nplayer = \"Ana\"\n[[foe]]\nuse = \"Levy\"\n";

/// A session of the bundled encounter with this input.
fn evening(desk: &Desk, fiats: &[&str]) {
    let typed: String = fiats.iter().map(|fiat| format!("@gm fiat {fiat}\n")).collect();
    desk.run("play salt-gate --seed 4 --strict --log one.fracas", typed).ends(0);
}

const RISK: &str = r#"{"risk":{"who":"@tamsin","risk":4}}"#;
const STOLEN: &str = r#"{"item":{"item":"@hookblade","holder":"@levy-adan","lie":"carried"}}"#;
const DEAD: &str = r#"{"fate":{"who":"@ilka","fate":"dead"}}"#;

#[test]
fn characters_come_again_as_they_were() {
    let desk = Desk::new();
    evening(&desk, &[RISK, STOLEN, DEAD]);
    desk.run("carry one.fracas", "").ends(0).says("risk = 4").says("[[fallen]]").says("The Salt Gate: died");
    desk.run("carry one.fracas -o party.toml", "").ends(0).says("play ENCOUNTER --with party.toml");
    desk.run("carry one.fracas -o party.toml", "").ends(2).warns("--force");
    desk.run("carry one.fracas -o party.toml --force", "").ends(0);
    desk.run("check --system judge-two party.toml", "").ends(0);
    desk.write("next.toml", NEXT);
    desk.run("check party.toml next.toml", "").ends(0).says("2 passed");
    for (n, how) in ["--with party.toml", "--from one.fracas"].iter().enumerate() {
        let run = desk
            .run(&format!("play next.toml {how} --log two-{n}.fracas"), "look tamsin\nlook oren\n")
            .ends(0);
        let run = run.says("Carried on from one.fracas.").says("risk 4/12").says("@ana Ana (Tamsin, Oren)");
        let sheet = run.out.split("look tamsin").nth(1).expect("a sheet");
        assert!(!sheet.contains("Hookblade (") && sheet.contains("Wicker Shield ("), "{sheet}");
        let run = desk.run(&format!("verify two-{n}.fracas"), "").ends(0);
        run.says("Sound").says("Carried on from one.fracas");
        desk.run(&format!("carry two-{n}.fracas"), "")
            .ends(0)
            .says("The Salt Gate: died")
            .says(", Next: lived");
        desk.run(&format!("play --resume two-{n}.fracas"), "look tamsin\n").ends(0).says("risk 4/12");
    }
}

#[test]
fn a_fallen_character_that_an_encounter_needs_is_a_fault() {
    let desk = Desk::new();
    evening(&desk, &[STOLEN]);
    // A character who lost a thing that the encounter readies comes without that thing.
    let run = desk.run("play salt-gate --from one.fracas --log w.fracas", "look tamsin\n").ends(0);
    let sheet = run.out.split("look tamsin").nth(1).unwrap_or(&run.out);
    assert!(!sheet.contains("Hookblade ("), "{sheet}");
    evening_of_the_dead(&desk);
    let run = desk.run("play salt-gate --from dead.fracas --log x.fracas", "").ends(2);
    run.warns("\"Ilka\" has fallen");
    assert!(!desk.path().join("x.fracas").exists());
}

fn evening_of_the_dead(desk: &Desk) {
    desk.run("play salt-gate --seed 4 --log dead.fracas", format!("@gm fiat {DEAD}\n")).ends(0);
}

#[test]
fn the_first_file_wins() {
    let desk = Desk::new();
    desk.write("next.toml", NEXT);
    desk.write("a.toml", "[[character]]\nname = \"Tamsin\"\nplayer = \"Ana\"\nrisk = 7\n");
    desk.write(
        "b.toml",
        "[[character]]\nname = \"Tamsin\"\nrisk = 8\n[[foe]]\nname = \"Levy\"\nkind = \"foe\"\npl = 8\n",
    );
    // Oren is not carried, and a character without `use` needs no library.
    let run = desk.run("play next.toml --with a.toml --with b.toml --log a.fracas", "look all\n").ends(0);
    run.says("risk 7/12").says("power level: 8");
    // A single player needs no name.
    desk.run("play next.toml --with b.toml --log b.fracas", "look tamsin\n").ends(0).says("risk 8/12");
    desk.write("broken.toml", "name = = 1\n");
    desk.run("play next.toml --with broken.toml", "").ends(2).warns("broken.toml:1");
    desk.run("play next.toml --with nowhere.toml", "").ends(2).warns("there is no such file");
}

#[test]
fn an_encounter_may_be_written_with_them_in_it() {
    let desk = Desk::new();
    evening(&desk, &[RISK, DEAD]);
    desk.write("next.toml", NEXT);
    desk.run("carry one.fracas --into next.toml -o whole.toml", "").ends(0).says("play whole.toml");
    desk.run("check whole.toml", "").ends(0);
    desk.run("play whole.toml --log w.fracas", "look tamsin\n").ends(0).says("risk 4/12");
    desk.run("carry w.fracas", "").ends(0).says("The Salt Gate: lived").says("Next: lived");
    // If the encounter names nobody, all characters come, with their players.
    desk.write("bare.toml", "game = \"judge-two\"\n[[foe]]\nuse = \"Levy\"\n");
    let run = desk.run("carry one.fracas --into bare.toml", "").ends(0);
    desk.write("all.toml", run.out);
    desk.run("play all.toml --log a.fracas", "").ends(0).says("@ana Ana (Tamsin)").says("@bo Bo (Oren)");
    // A character who lost a thing that the encounter puts into their hands comes without it.
    evening_that_stole(&desk);
    desk.run("carry stolen.fracas --into two-oaths -o two.toml", "").ends(0).says("play two.toml");
    // An encounter with faults is written, and the faults are printed.
    desk.write(
        "off.toml",
        "game = \"judge-two\"\n[[character]]\nuse = \"Tamsin\"\n[[foe]]\nuse = \"Nobody\"\n",
    );
    let run = desk.run("carry one.fracas --into off.toml -o odd.toml", "").ends(1);
    run.warns("It cannot be played yet").warns("odd.toml:");
    assert!(desk.path().join("odd.toml").exists());
}

#[test]
fn those_who_played_a_bundled_evening_fit_into_the_next() {
    let desk = Desk::new();
    let evenings = ["the-fish-market", "the-broken-bridge", "the-salt-audience"];
    for from in evenings {
        desk.run(&format!("play {from} --bot all=greedy --seed 3 --log {from}.fracas"), "").ends(0);
        for to in evenings {
            desk.run(&format!("carry {from}.fracas --into {to} -o {from}-{to}.toml"), "").ends(0);
        }
    }
}

fn evening_that_stole(desk: &Desk) {
    let gone = r#"{"item":{"item":"@oak-staff","holder":"@ilka","lie":"gone"}}"#;
    let writ = r#"{"item":{"item":"@sealed-writ","holder":"@ilka","lie":"gone"}}"#;
    let typed = format!("@gm fiat {gone}\n@gm fiat {writ}\n");
    desk.run("play salt-gate --seed 4 --strict --log stolen.fracas", typed).ends(0);
}

#[test]
fn logs_that_cannot_be_carried_are_refused() {
    let desk = Desk::new();
    desk.write("garbage.fracas", [0xff; 300]);
    desk.write("next.toml", NEXT);
    for args in [
        "carry garbage.fracas",
        "carry missing.fracas",
        "play next.toml --from garbage.fracas",
        "play next.toml --from missing.fracas",
    ] {
        desk.run(args, "").ends(2);
    }
    evening(&desk, &[]);
    for args in [
        "carry one.fracas --into nowhere",
        "carry one.fracas --force",
        "play --resume one.fracas --with next.toml",
        "play --resume one.fracas --from one.fracas",
    ] {
        desk.run(args, "").ends(2);
    }
}
