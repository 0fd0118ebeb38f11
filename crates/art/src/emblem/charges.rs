//! Charges: ink silhouettes in a box of 64, with cuts in them as a knife makes in wood.

/// A figure on an emblem.
pub(crate) struct Charge {
    pub(crate) name: &'static str,
    /// Words of a name that choose it, besides its own.
    pub(crate) words: &'static str,
    pub(crate) pieces: &'static [Piece],
}

/// A piece of a figure: a path, filled or drawn as a line of a width, with ink or cut out of it.
pub(crate) enum Piece {
    Ink(&'static str),
    Cut(&'static str),
    Line(u8, &'static str),
    Slit(u8, &'static str),
}
use Piece::{Cut, Ink, Line, Slit};

const fn charge(name: &'static str, words: &'static str, pieces: &'static [Piece]) -> Charge {
    Charge { name, words, pieces }
}

/// All charges, in no order that means anything.
#[rustfmt::skip]
pub(crate) const CHARGES: &[Charge] = &[
    // Beasts, from the front where that tells them apart.
    charge("wolf", "hound dog jackal cur", &[
        Ink("M11 5L25 19H39L53 5L57 31L47 43L38 49L32 60L26 49L17 43L7 31Z"),
        Cut("M16 29L28 35L21 39ZM48 29L36 35L43 39ZM27 49H37L32 56Z"),
        Slit(3, "M32 20V30"),
    ]),
    charge("bear", "", &[
        Ink("M11 20a9 9 0 0 1 14-10C29 8 35 8 39 10a9 9 0 0 1 14 10C55 26 57 32 56 38C54 51 44 58 32 58S10 51 8 38C7 32 9 26 11 20Z"),
        Slit(5, "M22 29h.01M42 29h.01"),
        Slit(3, "M21 45C21 35 43 35 43 45C43 54 21 54 21 45Z"),
        Cut("M26 39H38L32 46Z"),
    ]),
    charge("stag", "deer hart elk doe buck", &[
        Line(5, "M27 29C18 26 12 19 12 7M16 19L6 15M21 24L23 11M37 29C46 26 52 19 52 7M48 19L58 15M43 24L41 11"),
        Ink("M25 25H39L49 29L41 37L38 55C37 60 27 60 26 55L23 37L15 29Z"),
        Cut("M25 36L31 40L28 43ZM39 36L33 40L36 43Z"),
        Slit(3, "M30 54H34"),
    ]),
    charge("horse", "rider mare steed cavalry stallion pony horseman hooves", &[
        Ink("M18 59C16 46 25 41 28 33L21 37C17 40 13 38 11 34L9 29L23 14V5L31 11C48 13 57 31 54 59Z"),
        Slit(4, "M26 22h.01"),
        Slit(3, "M37 18C46 26 48 38 46 52M31 33L35 28"),
    ]),
    charge("bull", "ox ogre ram goat minotaur", &[
        Ink("M5 7C4 20 12 24 21 22H43C52 24 60 20 59 7C65 22 57 34 46 33L42 52C40 60 24 60 22 52L18 33C7 34-1 22 5 7Z"),
        Cut("M22 33L30 36L24 39ZM42 33L34 36L40 39Z"),
        Slit(4, "M28 51h.01M36 51h.01"),
    ]),
    charge("lion", "cat lynx panther tiger lioness", &[
        Ink("M32 3L40 8L49 8L52 17L59 23L57 32L59 41L52 47L49 56L40 56L32 61L24 56L15 56L12 47L5 41L7 32L5 23L12 17L15 8L24 8Z"),
        Slit(3, "M20 18C26 13 38 13 44 18C49 28 47 42 41 48C36 53 28 53 23 48C17 42 15 28 20 18Z"),
        Cut("M23 26L30 29L24 31ZM41 26L34 29L40 31ZM27 38H37L32 43Z"),
        Slit(3, "M32 42V46M26 47Q32 45 38 47"),
    ]),
    charge("hare", "rabbit leveret", &[
        Ink("M27 27C16 18 13 8 17 3C26 6 31 16 31 25H33C33 16 38 6 47 3C51 8 48 18 37 27C46 30 50 37 49 44C47 54 40 60 32 60S17 54 15 44C14 37 18 30 27 27Z"),
        Slit(5, "M24 40h.01M40 40h.01"),
        Cut("M28 48H36L32 53Z"),
        Slit(2, "M32 53V58M21 12L26 21M43 12L38 21"),
    ]),
    charge("raven", "crow magpie rook jackdaw bird gull finch heron", &[
        Ink("M3 23L17 17C20 6 35 5 39 15C42 25 50 36 62 53L48 50L43 58L36 49C25 49 16 42 16 28Z"),
        Line(3, "M28 46L26 59M34 47L33 59M20 59H38"),
        Slit(4, "M26 17h.01"),
        Slit(3, "M25 27C29 36 37 41 46 44"),
    ]),
    charge("wing", "eagle hawk falcon feathers", &[
        Ink("M9 61C-1 36 11 6 42 4C49 3 57 4 62 8C55 9 51 11 49 14C56 13 60 16 61 21C54 20 50 21 47 25C53 25 56 29 56 34C50 32 46 33 43 37C48 38 50 42 49 47C44 45 40 46 37 49C41 51 42 55 40 59C30 54 17 53 9 61Z"),
        Slit(3, "M14 40C16 28 24 18 38 15M19 45C21 37 27 30 36 28M24 49C27 44 30 41 35 40"),
    ]),
    charge("owl", "", &[
        Ink("M10 5C18 13 24 11 32 11S46 13 54 5C57 18 56 26 56 33C56 49 45 60 32 60S8 49 8 33C8 26 7 18 10 5Z"),
        Cut("M22 18a9 9 0 1 0 .01 0ZM42 18a9 9 0 1 0 .01 0ZM27 36H37L32 45Z"),
        Line(7, "M22 27h.01M42 27h.01"),
        Slit(3, "M24 51q4 3 8 0q4 3 8 0"),
    ]),
    charge("bat", "", &[
        Ink("M32 24L26 14L24 23C18 17 11 16 2 19C7 25 8 31 7 41C12 37 17 38 20 43C24 41 28 44 32 53C36 44 40 41 44 43C47 38 52 37 57 41C56 31 57 25 62 19C53 16 46 17 40 23L38 14Z"),
        Slit(3, "M28 28h.01M36 28h.01M16 26L20 36M48 26L44 36"),
    ]),
    charge("fish", "salmon fishmonger trout", &[
        Ink("M4 33C13 17 33 15 44 29L60 18C55 28 55 38 60 48L44 37C33 51 13 49 4 33Z"),
        Slit(5, "M16 30h.01"),
        Slit(3, "M25 22C31 29 31 37 25 44M35 29L39 33L35 37"),
    ]),
    charge("serpent", "snake adder viper eel worm", &[
        Line(8, "M46 13C25 7 14 20 26 28C38 36 52 37 46 48C40 58 24 55 16 46"),
        Ink("M42 6L57 8L60 14L54 20L44 19Z"),
        Cut("M50 10a2.4 2.4 0 1 0 .01 0Z"),
        Slit(2, "M26 20L23 26M36 31L33 37M47 40L40 41M32 49L33 57"),
    ]),
    charge("spider", "scorpion web", &[
        Ink("M32 29C41 29 45 37 44 44C43 52 38 58 32 58S21 52 20 44C19 37 23 29 32 29Z"),
        Ink("M32 15a8 8 0 1 0 .01 0Z"),
        Line(4, "M26 26L15 13L8 20M25 30L11 26L4 35M22 38L11 42L7 53M38 26L49 13L56 20M39 30L53 26L60 35M42 38L53 42L57 53"),
        Slit(3, "M32 36V50M27 43H37"),
    ]),
    charge("crab", "lobster", &[
        Line(4, "M15 44H5M18 50L8 57M49 44H59M46 50L56 57"),
        Ink("M12 42C12 22 52 22 52 42C52 61 12 61 12 42Z"),
        Line(6, "M22 21h.01M42 21h.01"),
        Ink("M13 36C-1 29-1 12 11 4L12 16L21 12C24 22 21 31 17 37ZM51 36C65 29 65 12 53 4L52 16L43 12C40 22 43 31 47 37Z"),
        Slit(3, "M22 42Q32 34 42 42"),
    ]),
    charge("moth", "butterfly wasp bee", &[
        Line(3, "M31 20Q28 10 19 8M33 20Q36 10 45 8"),
        Ink("M32 30C24 15 13 12 3 14C3 29 11 39 28 38C17 37 11 44 13 55C22 60 30 54 32 42C34 54 42 60 51 55C53 44 47 37 36 38C53 39 61 29 61 14C51 12 40 15 32 30Z"),
        Line(6, "M32 22V48"),
        Slit(5, "M15 25h.01M49 25h.01"),
    ]),
    // What grows.
    charge("tree", "oak wood forest yew linden", &[
        Ink("M28 59V44C16 48 8 38 13 29C7 20 17 9 26 13C30 3 44 6 45 15C56 17 59 28 52 33C55 42 45 48 36 44V59Z"),
        Slit(3, "M32 46V24M32 35L23 27M32 31L42 23"),
        Line(5, "M18 59H46"),
    ]),
    charge("leaf", "ash hazel hedge nettle reed", &[
        Line(5, "M8 60L24 46"),
        Ink("M56 5C63 34 48 57 21 54C15 29 27 8 56 5Z"),
        Slit(3, "M21 51L47 16M30 40L44 37M29 40L27 28M38 29L50 26"),
    ]),
    charge("rose", "thorn flower thistle bloom briar", &[
        Line(23, "M32 16h.01M47 27h.01M41 45h.01M23 45h.01M17 27h.01"),
        Slit(3, "M32 32L39 19M32 32L47 36M32 32V48M32 32L17 36M32 32L25 19"),
        Slit(17, "M32 32h.01"),
        Line(10, "M32 32h.01"),
    ]),
    charge("wheat", "corn grain farmer miller harvest thresher mill", &[
        Line(4, "M32 61V20"),
        Ink("M32 2C38 9 38 16 32 22C26 16 26 9 32 2ZM34 31C35 22 42 17 50 17C50 26 43 32 34 31ZM30 31C29 22 22 17 14 17C14 26 21 32 30 31ZM34 46C35 37 42 32 50 32C50 41 43 47 34 46ZM30 46C29 37 22 32 14 32C14 41 21 47 30 46Z"),
    ]),
    // Land, water and sky.
    charge("mountain", "hill fell moor peak", &[
        Ink("M2 54L25 12L35 28L41 20L62 54Z"),
        Cut("M25 12L19 26L25 23L29 28L32 23ZM41 20L36 32L41 29L45 33L48 31Z"),
    ]),
    charge("stone", "quarry rock gravel dolmen rubble", &[
        Ink("M6 12L57 9L59 21L7 24ZM13 28H25L27 58H11ZM39 27L52 26L54 58H38Z"),
        Slit(3, "M18 34L20 45M46 46L47 53M24 17L36 16"),
    ]),
    charge("wave", "sea tide river water weir ford lake drowned", &[
        Line(7, "M6 20q6.5-10 13 0t13 0 13 0 13 0M6 35q6.500-10 13 0t13 0 13 0 13 0M6 50q6.500-10 13 0t13 0 13 0 13 0"),
    ]),
    charge("drop", "blood injury wound rain tear ink", &[
        Ink("M32 2C40 18 52 27 52 40C52 52 43 60 32 60S12 52 12 40C12 27 24 18 32 2Z"),
        Slit(4, "M21 40C21 47 26 51 32 51"),
    ]),
    charge("flame", "fire ember coal torch burn cinder", &[
        Ink("M33 2C36 15 53 25 51 43C50 54 41 61 32 61S13 54 13 43C13 33 21 29 21 18C27 22 30 27 30 31C35 23 36 13 33 2Z"),
        Cut("M32 56C25 56 22 50 24 45C26 40 31 40 32 33C38 39 42 44 41 49C40 54 37 56 32 56Z"),
    ]),
    charge("sun", "day dawn morning light noon", &[
        Ink("M32 19a13 13 0 1 0 .01 0ZM32 2L37 15H27ZM32 62L27 49H37ZM2 32L15 27V37ZM62 32L49 37V27ZM11 11L23 17L17 23ZM53 11L47 23L41 17ZM11 53L17 41L23 47ZM53 53L41 47L47 41Z"),
        Slit(3, "M32 26a6 6 0 1 0 .01 0Z"),
    ]),
    charge("moon", "night evening dusk", &[
        Ink("M41 5A28 28 0 1 0 60 41A23 23 0 0 1 41 5Z"),
        Ink("M48 13L51 21L59 22L53 28L54 36L47 32L40 35L42 27L37 21L45 20Z"),
    ]),
    charge("star", "astrologer north", &[
        Ink("M32 1L38 20L53 11L44 26L63 32L44 38L53 53L38 44L32 63L26 44L11 53L20 38L1 32L20 26L11 11L26 20Z"),
        Cut("M32 26a6 6 0 1 0 .01 0Z"),
    ]),
    charge("bolt", "storm lightning thunder weather", &[
        Ink("M38 1L10 37H28L21 63L54 25H36L48 1Z"),
    ]),
    // Walls and what belongs to them.
    charge("gate", "warden wall tower castle ward keep gatehouse fort", &[
        Ink("M9 58V12H18V20H27V10H37V20H46V12H55V58H42V44A10 10 0 0 0 22 44V58Z"),
        Line(3, "M27 58V42M32 58V38M37 58V42"),
        Slit(3, "M11 28H24M40 28H53M11 42H17M47 42H53M28 28H36"),
    ]),
    charge("house", "landlord porch hall room home host inn", &[
        Ink("M32 4L62 31H54V58H10V31H2ZM44 5H52V18L44 11Z"),
        Cut("M26 58V42H38V58ZM15 32H24V40H15ZM40 32H49V40H40Z"),
    ]),
    charge("key", "steward castellan lock porter jailer lockpick door usher", &[
        Ink("M32 3a13 13 0 1 1-.01 0ZM28 26H36V61H28ZM35 42H47V49H35ZM35 53H44V59H35Z"),
        Cut("M32 10a6 6 0 1 1-.01 0Z"),
    ]),
    charge("bell", "bellman ringer chime", &[
        Ink("M32 4a5 5 0 0 1 5 5C47 13 48 25 48 35L57 48H7L16 35C16 25 17 13 27 9a5 5 0 0 1 5-5Z"),
        Line(11, "M32 54h.01"),
        Slit(3, "M16 39H48"),
    ]),
    charge("lantern", "lamp lamplighter", &[
        Line(5, "M23 16C23 1 41 1 41 16"),
        Ink("M20 13H44L50 22H14ZM14 51H50L46 60H18Z"),
        Line(4, "M17 22V52M47 22V52"),
        Ink("M32 25C42 35 41 48 32 48S22 35 32 25Z"),
    ]),
    charge("candle", "priest vigil taper chandler parish", &[
        Ink("M23 34C26 31 38 31 41 34V52H23ZM32 30C23 26 27 15 32 3C38 15 41 26 32 30ZM15 52H49L45 61H19Z"),
        Slit(3, "M28 36V44M35 36V40M32 20V26"),
    ]),
    charge("banner", "herald envoy flag standard", &[
        Line(5, "M13 5V61"),
        Ink("M13 7H58L48 22L58 37H13Z"),
        Slit(4, "M22 22H38"),
    ]),
    // Roads and ships.
    charge("anchor", "sailor harbour mooring port", &[
        Line(6, "M32 20V57M18 27H46"),
        Line(6, "M9 40C11 53 21 58 32 58S53 53 55 40"),
        Ink("M2 46L10 32L19 45ZM45 45L54 32L62 46Z"),
        Line(5, "M32 6a6 6 0 1 0 .01 0Z"),
    ]),
    charge("ship", "galley keel launch boat customs pirate", &[
        Ink("M4 44H60L50 59H14ZM29 4V41H8C18 31 26 19 29 4ZM35 9C45 17 51 28 53 41H35Z"),
        Slit(3, "M12 51H52"),
    ]),
    charge("wheel", "cart wagon carter barrow", &[
        Line(7, "M32 9a23 23 0 1 0 .01 0Z"),
        Line(4, "M32 10V54M10 32H54M16 16L48 48M48 16L16 48"),
        Ink("M32 24a8 8 0 1 0 .01 0Z"),
        Slit(5, "M32 32h.01"),
    ]),
    charge("boot", "runner walker shoe foot courier", &[
        Ink("M19 4H40V32L56 42C61 46 60 52 58 54H15C14 44 20 36 19 4Z"),
        Ink("M15 57H59V62H15Z"),
        Slit(3, "M20 12H39M31 34L38 31M33 41L41 37"),
    ]),
    charge("tent", "camp nomad", &[
        Ink("M32 9L62 56H42L32 32L22 56H2Z"),
        Line(4, "M32 12V3L42 6"),
    ]),
    // Tools.
    charge("hammer", "smith mason anvil forge", &[
        Ink("M35 29L41 35L17 61C13 64 4 57 8 52ZM20 14L36 3C44 6 50 12 55 20L61 24L53 33L49 29L43 33L28 18L22 20Z"),
        Slit(3, "M29 15L48 32"),
    ]),
    charge("axe", "reaver hatchet woodcutter butcher", &[
        Ink("M26 3H34V62H26Z"),
        Ink("M34 10C45 13 51 8 56 3C61 18 61 30 55 43C49 36 43 32 34 33ZM26 12L14 8V33L26 30Z"),
        Slit(3, "M51 13C53 21 53 27 50 34"),
    ]),
    charge("pick", "quarryman miner delver", &[
        Line(7, "M32 16V61"),
        Ink("M2 27C17 2 47 2 62 27C44 15 20 15 2 27Z"),
        Slit(3, "M28 24H36M28 54H36"),
    ]),
    charge("sickle", "reaper scythe", &[
        Ink("M22 47C47 49 57 24 34 4C64 10 67 59 24 57Z"),
        Line(8, "M22 52L8 57"),
        Slit(3, "M18 50L21 57"),
    ]),
    charge("hook", "ferryman ferry boathook fisher", &[
        Line(6, "M9 60L41 22"),
        Ink("M36 19L47 1L51 23L44 29Z"),
        Line(5, "M46 21C60 20 63 40 49 42L45 40"),
        Slit(3, "M28 33L34 38"),
    ]),
    charge("shears", "tailor scissors shearer", &[
        Ink("M17 2L39 38L31 43ZM47 2L25 38L33 43Z"),
        Line(5, "M20 44a7 7 0 1 0 .01 0ZM44 44a7 7 0 1 0 .01 0Z"),
        Slit(3, "M32 34h.01"),
    ]),
    charge("needle", "sewing thread seamstress thimble tack stitch", &[
        Ink("M60 3L56 17L19 55C13 60 4 51 9 45L47 8Z"),
        Slit(4, "M15 49L24 40"),
        Line(4, "M20 45C32 62 62 60 55 44C51 35 38 38 44 28"),
    ]),
    charge("scales", "judge magistrate clerk advocate court law lawyer bench weights", &[
        Line(5, "M32 8V56M18 58H46M9 16H55"),
        Line(3, "M2 40L11 17L20 40M44 40L53 17L62 40"),
        Ink("M0 39H22C20 50 2 50 0 39ZM42 39H64C62 50 44 50 42 39Z"),
        Line(9, "M32 8h.01"),
    ]),
    charge("quill", "scribe poet notebook", &[
        Ink("M53 4C29 7 15 25 16 44L10 60L15 62L22 49C41 49 55 30 53 4Z"),
        Slit(3, "M45 14L21 47M44 29L32 32M39 39L27 40"),
    ]),
    charge("book", "scholar reader teacher ledger grimoire library notary", &[
        Ink("M32 14C24 7 13 6 3 9V52C13 49 24 50 32 57C40 50 51 49 61 52V9C51 6 40 7 32 14Z"),
        Slit(3, "M32 16V54M11 19C17 18 22 20 26 23M11 29C17 28 22 30 26 33M11 39C17 38 22 40 26 43M53 19C47 18 42 20 38 23M53 29C47 28 42 30 38 33M53 39C47 38 42 40 38 43"),
    ]),
    charge("letter", "crier messenger post paper signed", &[
        Ink("M3 13H61V53H3Z"),
        Slit(4, "M5 16L32 36L59 16"),
        Slit(3, "M6 50L22 33M58 50L42 33"),
    ]),
    charge("hourglass", "time hour patience clock wait", &[
        Ink("M11 3H53V11H11ZM11 53H53V61H11ZM16 11H48C48 23 39 28 36 32C39 36 48 41 48 53H16C16 41 25 36 28 32C25 28 16 23 16 11Z"),
        Cut("M22 15H42C41 20 38 22 36 24H28C26 22 23 20 22 15ZM32 40L38 48H26Z"),
    ]),
    charge("gear", "clockwork machine engine automaton tinker", &[
        Line(10, "M32 7V57M7 32H57M14 14L50 50M50 14L14 50"),
        Ink("M32 13a19 19 0 1 0 .01 0Z"),
        Cut("M32 23a9 9 0 1 0 .01 0Z"),
    ]),
    charge("flask", "alchemist potion bottle apothecary poison", &[
        Ink("M22 3H42V10H38V24L55 50C59 57 56 61 50 61H14C8 61 5 57 9 50L26 24V10H22Z"),
        Cut("M23 38H41L49 51C50 53 49 54 47 54H17C15 54 14 53 15 51Z"),
        Line(5, "M27 47h.01M36 44h.01"),
    ]),
    // Arms.
    charge("sword", "blade knight duellist champion swordsman sabre dame", &[
        Ink("M61 3L57 21L29 48L16 35L43 7Z"),
        Line(7, "M9 33L31 55M18 46L8 56"),
        Line(9, "M7 57h.01"),
        Slit(3, "M52 12L27 37"),
    ]),
    charge("dagger", "knife thief assassin cutpurse rogue glove", &[
        Ink("M32 62L22 42V25H42V42Z"),
        Line(7, "M14 23H50"),
        Line(8, "M32 20V11"),
        Line(11, "M32 7h.01"),
        Slit(3, "M32 32V50"),
    ]),
    charge("spear", "pike lance guard lancer halberd sentinel javelin", &[
        Ink("M32 1L45 22L36 33V62H28V33L19 22Z"),
        Line(5, "M20 39H44"),
        Ink("M19 41L15 54L26 46ZM45 41L49 54L38 46Z"),
        Slit(3, "M32 11V27"),
    ]),
    charge("bow", "archer bowman sling shooter hunter arrow", &[
        Line(6, "M22 4C49 14 49 50 22 60"),
        Line(3, "M22 4V60"),
        Line(5, "M8 32H52"),
        Ink("M63 32L49 23V41ZM14 32L7 23H1L7 32L1 41H7Z"),
    ]),
    charge("club", "levy watchman constable thug bruiser mace", &[
        Ink("M44 4C53 1 62 10 60 19L50 35L20 60C15 63 1 49 4 44L29 14Z"),
        Slit(4, "M43 14h.01M51 12h.01M50 21h.01M40 24h.01"),
        Slit(3, "M14 41L23 50M9 47L17 55"),
    ]),
    charge("helm", "helmet soldier sergeant warrior marshal armour", &[
        Ink("M9 57V30C9 12 20 4 32 4S55 12 55 30V57L41 50V39H47V31H17V39H23V50Z"),
        Ink("M28 31H36V58L32 63L28 58Z"),
        Slit(3, "M32 5V26"),
    ]),
    charge("horn", "trumpet hunt huntsman", &[
        Line(5, "M5 58L40 27"),
        Ink("M33 27L59 2C63 12 63 26 60 38L41 35Z"),
        Ink("M13 46L30 31L45 47L34 48L37 58L26 56L24 63Z"),
        Slit(3, "M51 16C53 21 53 25 52 29M21 46L29 54"),
    ]),
    // People and what they wear.
    charge("hand", "fist wrestler fingers grip", &[
        Ink("M18 34V17a4 4 0 0 1 8 0V10a4 4 0 0 1 8 0V13a4 4 0 0 1 8 0V20a4 4 0 0 1 8 0V42C50 54 43 61 34 61C25 61 21 55 17 48L9 37a5 5 0 0 1 7-6Z"),
        Slit(2, "M26 17V33M34 14V33M42 19V34"),
        Slit(3, "M24 46C29 41 37 41 42 46"),
    ]),
    charge("eye", "seer spy watch sentry look", &[
        Ink("M3 35C14 17 50 17 61 35C50 53 14 53 3 35Z"),
        Cut("M32 24a11 11 0 1 0 .01 0Z"),
        Line(9, "M32 35h.01"),
        Line(4, "M32 8V15M15 12L19 18M49 12L45 18"),
    ]),
    charge("skull", "death dead bone ghost ghoul corpse grave", &[
        Ink("M32 3C15 3 6 15 6 28C6 37 11 42 17 45V59H47V45C53 42 58 37 58 28C58 15 49 3 32 3Z"),
        Cut("M14 29a8 7 0 1 1 15 2a8 7 0 0 1-15-2ZM35 31a8 7 0 1 1 15-2a8 7 0 0 1-15 2ZM32 37L37 45H27Z"),
        Slit(3, "M26 52V58M32 52V58M38 52V58"),
    ]),
    charge("heart", "love lover", &[
        Ink("M32 60C16 47 4 37 5 22C6 7 26 4 32 18C38 4 58 7 59 22C60 37 48 47 32 60Z"),
        Slit(4, "M15 24C14 18 18 15 22 15"),
    ]),
    charge("mask", "actor player fool jester disguise guest", &[
        Ink("M6 10C18 18 46 18 58 10C61 34 50 56 32 61C14 56 3 34 6 10Z"),
        Cut("M12 28C17 21 27 23 29 31C22 36 15 34 12 28ZM52 28C47 21 37 23 35 31C42 36 49 34 52 28ZM20 44C27 49 37 49 44 44C41 55 23 55 20 44Z"),
    ]),
    charge("crown", "king queen prince princess lord lady captain duke emperor provost mother", &[
        Ink("M10 54L4 19L19 32L32 8L45 32L60 19L54 54Z"),
        Line(8, "M4 16h.01M32 7h.01M60 16h.01"),
        Slit(3, "M11 45H53"),
        Slit(5, "M32 36h.01"),
    ]),
    charge("cross", "nurse doctor healer leech sister brother monk nun", &[
        Ink("M22 5H42V22H59V42H42V59H22V42H5V22H22Z"),
        Slit(3, "M28 11H36V28H53V36H36V53H28V36H11V28H28Z"),
    ]),
    charge("cup", "chalice feast tavern innkeeper wine ale", &[
        Ink("M11 5H53C53 24 46 34 36 37V49C44 50 49 54 50 60H14C15 54 20 50 28 49V37C18 34 11 24 11 5Z"),
        Slit(3, "M16 14H48"),
        Slit(4, "M25 23C26 27 28 29 30 30"),
    ]),
    charge("purse", "toll money moneylender merchant factor coin trader", &[
        Ink("M19 4C25 8 39 8 45 4L40 17H24ZM23 21H41C55 31 61 43 56 52C51 62 13 62 8 52C3 43 9 31 23 21Z"),
        Cut("M32 31a10 10 0 1 0 .01 0Z"),
        Line(4, "M32 36V46"),
    ]),
    charge("harp", "bard singer choir minstrel lute music cantor song", &[
        Line(6, "M15 58C8 38 10 16 20 6C31 17 44 13 56 10C55 32 40 52 15 58Z"),
        Line(2, "M23 50V17M30 47V19M37 41V20M44 33V18"),
    ]),
    charge("dice", "gambler die luck gamble", &[
        Ink("M9 14L47 4C51 3 54 5 55 8L61 46C62 50 60 53 56 54L18 60C14 61 11 59 10 55L4 21C3 17 5 15 9 14Z"),
        Slit(8, "M18 23h.01M45 17h.01M32 32h.01M21 48h.01M48 42h.01"),
    ]),
    charge("chain", "rope bond oath sworn rigger knot fetter prisoner convict", &[
        Line(7, "M32 5a11 12 0 1 0 .01 0ZM32 35a11 12 0 1 0 .01 0Z"),
        Slit(14, "M32 24V40"),
        Line(7, "M32 22V42"),
    ]),
];
