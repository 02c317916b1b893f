//! Plots as PNG files.

use plotters::prelude::{BitMapBackend, DrawingBackend, IntoFont, TextStyle};
use plotters::style::RGBAColor;
use plotters_backend::{BackendColor, BackendCoord, BackendStyle, BackendTextStyle, DrawingErrorKind};

/// The number of pixels of the file for each unit of the plot, so that the plot is sharp on dense screens and in print.
const DENSITY: u32 = 2;

/// The bytes of a pixel: red, green and blue.
const PIXEL: usize = 3;

type Drawn<B> = Result<(), DrawingErrorKind<<B as DrawingBackend>::ErrorType>>;

/// Returns the pixels of a picture of this size before anything is drawn on it.
pub(super) fn pixels((width, height): (u32, u32)) -> Vec<u8> {
    vec![u8::MAX; width as usize * height as usize * (DENSITY * DENSITY) as usize * PIXEL]
}

/// A picture in memory, on which a plot is drawn with several pixels for each unit.
pub(super) struct Bitmap<'a> {
    picture: BitMapBackend<'a>,
    size: (u32, u32),
}

impl<'a> Bitmap<'a> {
    /// Creates the picture of the given size in `pixels`.
    pub(super) fn new(pixels: &'a mut [u8], size: (u32, u32)) -> Self {
        Self { picture: BitMapBackend::with_buffer(pixels, (size.0 * DENSITY, size.1 * DENSITY)), size }
    }
}

/// Returns the pixels as a PNG file.
///
/// # Errors
/// Returns an error if the pixels are not those of a picture of this size.
pub(super) fn encoded(pixels: &[u8], size: (u32, u32)) -> Result<Vec<u8>, png::EncodingError> {
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, size.0 * DENSITY, size.1 * DENSITY);
    encoder.set_color(png::ColorType::Rgb);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(pixels)?;
    writer.finish()?;
    Ok(file)
}

/// Returns the coordinates in pixels.
fn dense((x, y): BackendCoord) -> BackendCoord {
    let density = DENSITY.cast_signed();
    (x * density, y * density)
}

/// A style whose strokes are as wide in pixels as they should be in units.
struct Dense<'a, S>(&'a S);

impl<S: BackendStyle> BackendStyle for Dense<'_, S> {
    fn color(&self) -> BackendColor {
        self.0.color()
    }

    fn stroke_width(&self) -> u32 {
        self.0.stroke_width() * DENSITY
    }
}

impl DrawingBackend for Bitmap<'_> {
    type ErrorType = <BitMapBackend<'static> as DrawingBackend>::ErrorType;

    fn get_size(&self) -> (u32, u32) {
        self.size
    }

    fn ensure_prepared(&mut self) -> Drawn<Self> {
        self.picture.ensure_prepared()
    }

    fn present(&mut self) -> Drawn<Self> {
        self.picture.present()
    }

    fn draw_pixel(&mut self, point: BackendCoord, color: BackendColor) -> Drawn<Self> {
        self.draw_rect(point, (point.0 + 1, point.1 + 1), &color, true)
    }

    fn draw_line<S: BackendStyle>(&mut self, from: BackendCoord, to: BackendCoord, style: &S) -> Drawn<Self> {
        self.draw_path([from, to], style)
    }

    fn draw_rect<S: BackendStyle>(
        &mut self,
        upper_left: BackendCoord,
        bottom_right: BackendCoord,
        style: &S,
        fill: bool,
    ) -> Drawn<Self> {
        self.picture.draw_rect(dense(upper_left), dense(bottom_right), &Dense(style), fill)
    }

    fn draw_path<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        path: I,
        style: &S,
    ) -> Drawn<Self> {
        self.picture.draw_path(path.into_iter().map(dense), &Dense(style))
    }

    fn draw_circle<S: BackendStyle>(
        &mut self,
        center: BackendCoord,
        radius: u32,
        style: &S,
        fill: bool,
    ) -> Drawn<Self> {
        self.picture.draw_circle(dense(center), radius * DENSITY, &Dense(style), fill)
    }

    fn fill_polygon<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        corners: I,
        style: &S,
    ) -> Drawn<Self> {
        self.picture.fill_polygon(corners.into_iter().map(dense), &Dense(style))
    }

    fn draw_text<S: BackendTextStyle>(&mut self, text: &str, style: &S, at: BackendCoord) -> Drawn<Self> {
        let BackendColor { alpha, rgb: (red, green, blue) } = style.color();
        let family = style.family();
        let font = (family.as_str(), style.size() * f64::from(DENSITY)).into_font();
        let color = RGBAColor(red, green, blue, alpha);
        let large = TextStyle::from(font.transform(style.transform())).color(&color).pos(style.anchor());
        self.picture.draw_text(text, &large, dense(at))
    }
}
