//! The inks of a scene, by the hour.

/// A colour, as `0xrrggbb`.
pub(crate) type Colour = u32;

/// The inks of an hour.
pub(crate) struct Hour {
    pub(crate) word: &'static str,
    /// Other words for it.
    pub(crate) also: &'static str,
    pub(crate) about: &'static str,
    /// The sky at its top and at the horizon; in a room, the wall in shadow and in light.
    pub(crate) sky: [Colour; 2],
    /// What stands far away, in the middle and in front.
    pub(crate) stands: [Colour; 3],
    /// The ground or the floor.
    pub(crate) land: Colour,
    pub(crate) water: Colour,
    /// Haze, foam, edges that catch light.
    pub(crate) mist: Colour,
    pub(crate) sun: Colour,
    pub(crate) lamp: Colour,
    /// Roofs, banners, awnings.
    pub(crate) cloth: Colour,
    pub(crate) light: Light,
}

/// Whether lamps are lit.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Light {
    Lamps,
    Daylight,
}
use Light::{Daylight, Lamps};

/// Every hour. The first is that of scenes that say none.
#[rustfmt::skip]
pub(crate) const HOURS: &[Hour] = &[
    Hour { word: "day", also: "noon midday afternoon", about: "a clear day in green and blue",
        sky: [0x6fa9c0, 0xe3ead2], stands: [0xa3bbb4, 0x647b74, 0x20312d], land: 0xa9b873, water: 0x4c8a9c,
        mist: 0xf6f2de, sun: 0xfff0b8, lamp: 0xf2b33d, cloth: 0xc0452f, light: Daylight },
    Hour { word: "dawn", also: "morning daybreak", about: "rose and grey blue before the sun is high",
        sky: [0x7d94b8, 0xf8d2a8], stands: [0xb99ba8, 0x6d5a7c, 0x262140], land: 0xa58a86, water: 0x8a93b4,
        mist: 0xfdebd0, sun: 0xfff0c4, lamp: 0xf7c566, cloth: 0xb2433c, light: Daylight },
    Hour { word: "dusk", also: "evening sunset sundown twilight", about: "violet and orange, lamps lit",
        sky: [0x44365e, 0xe8915f], stands: [0x975a68, 0x55344f, 0x1d1228], land: 0x70425a, water: 0x6f4a69,
        mist: 0xf3ba8c, sun: 0xffcf76, lamp: 0xffca62, cloth: 0xb83a2e, light: Lamps },
    Hour { word: "night", also: "midnight nightfall", about: "deep blue, lamps lit",
        sky: [0x131a36, 0x3f5085], stands: [0x3a4a79, 0x212b50, 0x0c1022], land: 0x27325a, water: 0x2d3c6c,
        mist: 0x8494c4, sun: 0xf6e6b0, lamp: 0xf8bd54, cloth: 0x7d3048, light: Lamps },
    Hour { word: "storm", also: "tempest gale thunderstorm", about: "slate under heavy cloud, lamps lit",
        sky: [0x262f36, 0x71817f], stands: [0x596a6e, 0x364349, 0x12181c], land: 0x4a5752, water: 0x4b5d63,
        mist: 0xb4c0bd, sun: 0xdde0cd, lamp: 0xf0ca68, cloth: 0x7e3734, light: Lamps },
    Hour { word: "grey", also: "gray overcast cloudy mist foggy", about: "a day without sun or shadow",
        sky: [0x9ba6a6, 0xdedccf], stands: [0xa9aea5, 0x676f6b, 0x25292b], land: 0x96998a, water: 0x8a9899,
        mist: 0xf1efe4, sun: 0xf6f2e2, lamp: 0xe8c260, cloth: 0x8e3330, light: Daylight },
    Hour { word: "winter", also: "frost snowy ice frozen", about: "white ground and a pale sky",
        sky: [0x9fb6c9, 0xf0efe8], stands: [0xb4c4d0, 0x637a91, 0x22314a], land: 0xe9eef0, water: 0x9fbccc,
        mist: 0xffffff, sun: 0xfff3d0, lamp: 0xf5b64c, cloth: 0xa8352f, light: Daylight },
    Hour { word: "dry", also: "desert heat drought summer", about: "sand, dust and a red sun",
        sky: [0xe6c386, 0xf8e9c4], stands: [0xd6ae78, 0x93633c, 0x3d2617], land: 0xdfbd85, water: 0x8fa99a,
        mist: 0xfdf3d8, sun: 0xc9482c, lamp: 0xf2b33d, cloth: 0xb4432a, light: Daylight },
    Hour { word: "moor", also: "autumn bog heath", about: "olive and straw under a hazy sky",
        sky: [0xc3bb8f, 0xece5c4], stands: [0xa2a67c, 0x586340, 0x242a1b], land: 0x97995f, water: 0x8f9c84,
        mist: 0xf5f0d6, sun: 0xe5703a, lamp: 0xf0b13f, cloth: 0xa5451f, light: Daylight },
    Hour { word: "amber", also: "brass golden", about: "brass sky over teal water and stone",
        sky: [0xe4bf80, 0xf8e8c2], stands: [0xc2a878, 0x2d6769, 0x0f2f35], land: 0x7fa08c, water: 0x2f7476,
        mist: 0xfbeecb, sun: 0xc9482c, lamp: 0xf2b33d, cloth: 0xc14a2d, light: Daylight },
    Hour { word: "crimson", also: "scarlet bloody", about: "a theatre's red and gold, lamps lit",
        sky: [0x6b1a1b, 0xc85a3e], stands: [0xa63a2d, 0x5e1b1b, 0x230a0c], land: 0x7a2520, water: 0x8a3a33,
        mist: 0xf0a06c, sun: 0xf7cf6a, lamp: 0xf9cd62, cloth: 0xe0a63c, light: Lamps },
    Hour { word: "deep", also: "underwater drowned sunken", about: "under water, teal and dim",
        sky: [0x3b9297, 0x1d6470], stands: [0x2b7780, 0x11404c, 0x061a22], land: 0x14495a, water: 0x1d5f6b,
        mist: 0x93cbc3, sun: 0xc9e8d4, lamp: 0xeed27c, cloth: 0xb0604a, light: Lamps },
    Hour { word: "indoor", also: "inside", about: "a warm room, lamps lit",
        sky: [0x3d281b, 0x664630], stands: [0x74523a, 0x462d1e, 0x180f09], land: 0x35221a, water: 0x4a3a34,
        mist: 0xc0945f, sun: 0xf6d488, lamp: 0xf8bd54, cloth: 0x8e2f2b, light: Lamps },
    Hour { word: "gloom", also: "cold dim murk dreary", about: "a cold room or road, one lamp",
        sky: [0x1e2426, 0x525e5b], stands: [0x586462, 0x303a3a, 0x0d1011], land: 0x262d2e, water: 0x36413f,
        mist: 0x94a29e, sun: 0xdfdcb8, lamp: 0xf0dc90, cloth: 0x6d2e31, light: Lamps },
    Hour { word: "neon", also: "electric", about: "a violet night with coloured light",
        sky: [0x140e2b, 0x57286a], stands: [0x44296e, 0x241744, 0x0a0716], land: 0x2a1a4c, water: 0x3a2468,
        mist: 0xa184e0, sun: 0xff9a76, lamp: 0xff66a8, cloth: 0x2fc7cf, light: Lamps },
    Hour { word: "ember", also: "inferno ablaze", about: "black and red, lit by fire",
        sky: [0x220d0d, 0xb5431f], stands: [0x7a2c1c, 0x411812, 0x130706], land: 0x52201a, water: 0x6b2a1c,
        mist: 0xf29a58, sun: 0xffc45e, lamp: 0xffb84a, cloth: 0x9c2f1c, light: Lamps },
];

/// A colour between two: `percent` of the way from the first to the second.
pub(crate) fn mix(from: Colour, to: Colour, percent: u32) -> Colour {
    [16, 8, 0].iter().fold(0, |colour, shift| {
        let (a, b) = ((from >> shift) & 255, (to >> shift) & 255);
        colour | (((a * (100 - percent) + b * percent) / 100) << shift)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How bright a colour looks, from 0 to 255.
    fn bright(colour: Colour) -> u32 {
        ((colour >> 16) & 255) * 30 / 100 + ((colour >> 8) & 255) * 59 / 100 + (colour & 255) * 11 / 100
    }

    #[test]
    fn nearer_is_darker_and_lamps_stand_out() {
        for hour in HOURS {
            let [far, middle, front] = hour.stands.map(bright);
            assert!(far > middle + 15 && middle > front + 12, "{}: {far} {middle} {front}", hour.word);
            assert!(bright(hour.lamp) > middle + 45, "{}", hour.word);
            assert!(
                bright(hour.sky[1]).abs_diff(middle) > 25,
                "{}: the horizon hides what stands",
                hour.word
            );
        }
    }

    #[test]
    fn mixing() {
        assert_eq!(mix(0x000000, 0xffffff, 50), 0x7f7f7f);
        assert_eq!((mix(0x123456, 0xabcdef, 0), mix(0x123456, 0xabcdef, 100)), (0x123456, 0xabcdef));
    }
}
