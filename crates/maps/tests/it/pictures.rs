use crate::common::{file, picture};
use fracas_maps::picture::{Kind, LONGEST_KEPT, MOST_KEPT, MOST_PIXELS, PictureError, read};
use image::{DynamicImage, ImageFormat, Rgba, RgbaImage};

const FORMATS: [ImageFormat; 3] = [ImageFormat::Png, ImageFormat::Jpeg, ImageFormat::WebP];

#[test]
fn drawings_are_kept_as_png_and_photos_as_jpeg() {
    for format in FORMATS {
        for (noisy, kind) in [(false, Kind::Png), (true, Kind::Jpeg)] {
            let kept = read(&file(&picture(300, 200, noisy), format)).expect("read");
            assert_eq!((kept.kind, kept.size, kept.drawn), (kind, (300, 200), (300, 200)), "{format:?}");
            let again = image::load_from_memory(&kept.bytes).expect("a picture");
            assert_eq!((again.width(), again.height()), (300, 200));
        }
    }
}

#[test]
fn a_large_picture_is_made_smaller() {
    let kept = read(&file(&picture(5_000, 300, false), ImageFormat::Png)).expect("read");
    assert_eq!((kept.size, kept.drawn), ((LONGEST_KEPT, 246), (5_000, 300)));
    let noise = read(&file(&picture(2_600, 2_000, true), ImageFormat::Jpeg)).expect("read");
    assert!(noise.bytes.len() <= MOST_KEPT && noise.size.0 < 2_600, "{:?}", noise.size);
}

#[test]
fn what_is_transparent_is_white() {
    let clear = RgbaImage::from_pixel(40, 40, Rgba([0, 0, 0, 0]));
    for format in [ImageFormat::Png, ImageFormat::WebP] {
        let kept = read(&file(&DynamicImage::from(clear.clone()), format)).expect("read");
        let again = image::load_from_memory(&kept.bytes).expect("a picture").to_rgb8();
        assert_eq!(again.get_pixel(20, 20).0, [255; 3]);
    }
}

/// A chunk of a PNG.
pub(crate) fn chunk(kind: &[u8; 4], data: &[u8]) -> Vec<u8> {
    let mut crc = !0_u32;
    for byte in kind.iter().chain(data) {
        crc ^= u32::from(*byte);
        for _ in 0..8 {
            crc = if crc & 1 == 1 { crc >> 1 ^ 0xedb8_8320 } else { crc >> 1 };
        }
    }
    let length = u32::try_from(data.len()).expect("short").to_be_bytes();
    [&length[..], kind, data, &(!crc).to_be_bytes()].concat()
}

#[test]
fn nothing_is_kept_but_what_is_drawn() {
    const SECRET: &[u8] = b"<script>alert('the traitor is Wren')</script>";
    let holds = |bytes: &[u8]| bytes.windows(SECRET.len()).any(|part| part == SECRET);
    let png = file(&picture(60, 40, false), ImageFormat::Png);
    // After the signature and the header, 33 bytes.
    let text = chunk(b"tEXt", &[b"Comment\0", SECRET].concat());
    let (head, rest) = png.split_at(33);
    let jpeg = file(&picture(60, 40, true), ImageFormat::Jpeg);
    let length = u16::try_from(SECRET.len() + 2).expect("short").to_be_bytes();
    let comment = [&jpeg[..2], &[0xff, 0xfe], &length, SECRET, &jpeg[2..]].concat();
    for (name, file) in [
        ("a comment in a PNG", [head, &text, rest].concat()),
        ("what stands after a PNG", [&png, SECRET].concat()),
        ("a comment in a JPEG", comment),
        ("what stands after a JPEG", [&jpeg, SECRET].concat()),
    ] {
        assert!(holds(&file), "{name}");
        let kept = read(&file).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(!holds(&kept.bytes), "{name}");
    }
}

#[test]
fn a_picture_that_was_turned_stands_upright() {
    let jpeg = file(&picture(60, 40, true), ImageFormat::Jpeg);
    // Orientation 6: a quarter turn to the right.
    let exif = b"Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0";
    let length = u16::try_from(exif.len() + 2).expect("short").to_be_bytes();
    let turned = [&jpeg[..2], &[0xff, 0xe1], &length, exif, &jpeg[2..]].concat();
    assert_eq!(read(&turned).expect("read").size, (40, 60));
}

#[test]
fn a_picture_that_is_cut_off_is_refused() {
    for format in FORMATS {
        let whole = file(&picture(90, 70, true), format);
        // Of the last bytes of a PNG or WebP nothing is drawn.
        for length in [12, whole.len() / 4, whole.len() / 2, whole.len() - 100] {
            let why = read(&whole[..length]).map(|kept| kept.size).expect_err("refused");
            assert!(matches!(why, PictureError::Broken(_)), "{format:?} {length}: {why}");
        }
    }
}

#[test]
fn what_is_no_picture_is_refused() {
    for bytes in [
        &b""[..],
        b"GIF89a\x01\0\x01\0\0\0\0;",
        b"BM\0\0\0\0\0\0\0\0",
        b"<svg xmlns=\"http://www.w3.org/2000/svg\" onload=\"alert(1)\"/>",
        b"II*\0\x08\0\0\0",
        b"%PDF-1.7",
        b"PK\x03\x04",
        b"\0\0\0\x1cftypavif",
        b"\xff\xd8",
    ] {
        assert_eq!(read(bytes), Err(PictureError::Unknown), "{bytes:?}");
    }
    for magic in [&b"\x89PNG\r\n\x1a\n"[..], b"\xff\xd8\xff\xe0", b"RIFF\0\0\0\0WEBPVP8 "] {
        let garbage = [magic, &[7; 500]].concat();
        assert!(matches!(read(&garbage), Err(PictureError::Broken(_))), "{magic:?}");
    }
}

/// A PNG that says it is this large, with nothing in it.
fn claims(width: u32, height: u32) -> Vec<u8> {
    let header = [&width.to_be_bytes()[..], &height.to_be_bytes(), &[8, 6, 0, 0, 0]].concat();
    let zeros = b"\x78\x9c\x63\x60\x60\x60\0\0\0\x04\0\x01";
    [&b"\x89PNG\r\n\x1a\n"[..], &chunk(b"IHDR", &header), &chunk(b"IDAT", zeros), &chunk(b"IEND", b"")]
        .concat()
}

#[test]
fn a_picture_that_is_too_large_is_refused_before_it_is_unpacked() {
    for (width, height) in [(50_000, 50_000), (16_385, 1), (1, 16_385), (8_000, 8_000), (u32::MAX / 2, 2)] {
        match read(&claims(width, height)) {
            Err(PictureError::TooLarge { width: wide, height: high }) => {
                assert_eq!((wide, high), (width, height))
            }
            Err(PictureError::Broken(_)) if width > 1 << 30 => {}
            other => panic!("{width} by {height}: {other:?}"),
        }
    }
    // As large as it may be, and empty.
    assert!(u64::from(8_000_u32) * 5_000 <= MOST_PIXELS);
    assert!(matches!(read(&claims(8_000, 5_000)), Err(PictureError::Broken(_))));
    // A JPEG and a WebP that say so.
    let mut jpeg = file(&picture(60, 40, true), ImageFormat::Jpeg);
    let frame = jpeg.windows(2).position(|pair| pair == [0xff, 0xc0]).expect("a frame");
    jpeg[frame + 5..frame + 9].fill(0xff);
    assert!(matches!(read(&jpeg), Err(PictureError::TooLarge { width: 65_535, height: 65_535 })));
    let mut webp = file(&picture(60, 40, true), ImageFormat::WebP);
    webp[21..25].fill(0xff);
    assert!(read(&webp).is_err());
}
