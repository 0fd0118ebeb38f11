//! Pictures: read within limits, and written anew without anything that is not drawn.

use image::codecs::jpeg::JpegEncoder;
use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use image::metadata::Orientation;
use image::{DynamicImage, ImageDecoder, ImageFormat, ImageReader, Limits, RgbImage};
use std::io::Cursor;

/// The longest side of a picture that is read, in pixels.
pub const LONGEST_READ: u32 = 16_384;
/// The most pixels of a picture that is read.
pub const MOST_PIXELS: u64 = 40_000_000;
/// The most bytes that reading takes, besides the picture itself.
const MEMORY: u64 = 256 << 20;

/// The longest side of a picture that is kept, in pixels.
pub const LONGEST_KEPT: u32 = 4_096;
/// The most bytes of a picture that is kept: a larger one is made smaller.
pub const MOST_KEPT: usize = 2 << 20;

/// The side of a portrait, in pixels.
pub const PORTRAIT: u32 = 320;
/// The longest side of a cover, in pixels.
pub const COVER: u32 = 1_600;

/// How good a JPEG is, of 100.
const QUALITY: u8 = 82;

/// A picture as it is kept and sent.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Picture {
    /// The file.
    pub bytes: Vec<u8>,
    /// What the file is.
    pub kind: Kind,
    /// Its width and height in pixels.
    pub size: (u32, u32),
    /// The width and height that it was drawn in.
    pub drawn: (u32, u32),
}

/// What a kept picture is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A PNG.
    Png,
    /// A JPEG.
    Jpeg,
}

impl Kind {
    /// As a word.
    pub const fn word(self) -> &'static str {
        match self {
            Kind::Png => "png",
            Kind::Jpeg => "jpeg",
        }
    }
}

/// Why a picture cannot be used.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PictureError {
    /// Something else, by its first bytes.
    #[error("expected a PNG, JPEG or WebP, found something else")]
    Unknown,
    /// Too many pixels.
    #[error("it says that it has {width} by {height} pixels: {LONGEST_READ} on a side are the most, and {} million in all", MOST_PIXELS / 1_000_000)]
    TooLarge {
        /// Its width.
        width: u32,
        /// Its height.
        height: u32,
    },
    /// It ends too early, or is damaged.
    #[error("it cannot be read, perhaps it is cut off: {0}")]
    Broken(String),
}

/// What a file is, by its first bytes.
pub(crate) fn format(bytes: &[u8]) -> Option<ImageFormat> {
    let known = [ImageFormat::Png, ImageFormat::Jpeg, ImageFormat::WebP];
    image::guess_format(bytes).ok().filter(|format| known.contains(format))
}

/// Reads a picture and writes it anew: no larger than is useful, and without anything that is
/// not drawn. Where it is transparent, it is white.
///
/// # Errors
/// If it is no picture, is too large, or is damaged.
pub fn read(bytes: &[u8]) -> Result<Picture, PictureError> {
    kept(decoded(bytes)?, LONGEST_KEPT)
}

/// The same for the face of a person: the middle square of the upper part, small.
///
/// # Errors
/// As [`read`].
pub fn portrait(bytes: &[u8]) -> Result<Picture, PictureError> {
    let image = decoded(bytes)?;
    let side = image.width().min(image.height());
    // Of a picture that is higher than wide, a head stands nearer to the top than to the bottom.
    let (left, top) = ((image.width() - side) / 2, (image.height() - side) / 4);
    kept(image.crop_imm(left, top, side, side), PORTRAIT)
}

/// The same for the picture of a place.
///
/// # Errors
/// As [`read`].
pub fn cover(bytes: &[u8]) -> Result<Picture, PictureError> {
    kept(decoded(bytes)?, COVER)
}

/// The picture with no side longer than this, as a file.
fn kept(image: DynamicImage, longest: u32) -> Result<Picture, PictureError> {
    let drawn = (image.width(), image.height());
    let mut image = opaque(&within(image, longest));
    let (mut bytes, kind) = smallest(&image)?;
    while bytes.len() > MOST_KEPT {
        let longest = image.width().max(image.height()) / 4 * 3;
        image = within(image.into(), longest).into_rgb8();
        bytes = written(&image, kind)?;
    }
    Ok(Picture { bytes, kind, size: image.dimensions(), drawn })
}

fn broken(error: image::ImageError) -> PictureError {
    PictureError::Broken(error.to_string())
}

fn decoded(bytes: &[u8]) -> Result<DynamicImage, PictureError> {
    let format = format(bytes).ok_or(PictureError::Unknown)?;
    if format == ImageFormat::Jpeg && is_cut_off(bytes) {
        return Err(PictureError::Broken("its end is missing".to_owned()));
    }
    let mut limits = Limits::default();
    limits.max_alloc = Some(MEMORY);
    let mut reader = ImageReader::with_format(Cursor::new(bytes), format);
    reader.limits(limits);
    let mut decoder = reader.into_decoder().map_err(broken)?;
    let (width, height) = decoder.dimensions();
    let is_long = width.max(height) > LONGEST_READ;
    if is_long || u64::from(width) * u64::from(height) > MOST_PIXELS || decoder.total_bytes() > MEMORY {
        return Err(PictureError::TooLarge { width, height });
    }
    let orientation = decoder.orientation().unwrap_or(Orientation::NoTransforms);
    let mut image = DynamicImage::from_decoder(decoder).map_err(broken)?;
    image.apply_orientation(orientation);
    Ok(image)
}

/// Whether a JPEG has no end: its reader would fill the rest with grey. No mark can stand among
/// what is drawn.
fn is_cut_off(bytes: &[u8]) -> bool {
    let last = |mark: u8| bytes.windows(2).rposition(|pair| pair == [0xff, mark]);
    let (begins, ends) = (last(0xda), last(0xd9));
    ends.is_none() || begins > ends
}

/// The picture with no side longer than this.
fn within(image: DynamicImage, longest: u32) -> DynamicImage {
    if image.width().max(image.height()) <= longest { image } else { image.thumbnail(longest, longest) }
}

/// The picture on white.
fn opaque(image: &DynamicImage) -> RgbImage {
    if !image.color().has_alpha() {
        return image.to_rgb8();
    }
    let image = image.to_rgba8();
    let mut flat = RgbImage::new(image.width(), image.height());
    for (to, from) in flat.pixels_mut().zip(image.pixels()) {
        let [red, green, blue, alpha] = from.0.map(u32::from);
        to.0 = [red, green, blue].map(|colour| ((colour * alpha + 255 * (255 - alpha)) / 255) as u8);
    }
    flat
}

/// The picture as a file: as PNG if that is smaller, as drawings are, else as JPEG.
fn smallest(image: &RgbImage) -> Result<(Vec<u8>, Kind), PictureError> {
    let [png, jpeg] = [Kind::Png, Kind::Jpeg].map(|kind| written(image, kind));
    let (png, jpeg) = (png?, jpeg?);
    Ok(if png.len() <= jpeg.len() { (png, Kind::Png) } else { (jpeg, Kind::Jpeg) })
}

fn written(image: &RgbImage, kind: Kind) -> Result<Vec<u8>, PictureError> {
    let mut file = Vec::new();
    match kind {
        Kind::Png => {
            let encoder =
                PngEncoder::new_with_quality(&mut file, CompressionType::Default, FilterType::Adaptive);
            image.write_with_encoder(encoder).map_err(broken)?;
        }
        Kind::Jpeg => {
            let encoder = JpegEncoder::new_with_quality(&mut file, QUALITY);
            image.write_with_encoder(encoder).map_err(broken)?;
        }
    }
    Ok(file)
}
