//! Plots as PDF files of one page, in which text stays text.

use std::convert::Infallible;

use pdf_writer::types::LineJoinStyle;
use pdf_writer::{Content, Finish, Name, Pdf, Rect, Ref, Str};
use plotters_backend::text_anchor::{HPos, VPos};
use plotters_backend::{
    BackendColor, BackendCoord, BackendStyle, BackendTextStyle, DrawingBackend, DrawingErrorKind,
    FontTransform,
};

/// The points of a page (1/72 of an inch) for each unit of the plot (1/96 of an inch).
const POINTS: f32 = 0.75;

/// The name of the font on the page.
const FONT: Name<'_> = Name(b"F1");

/// The widths of the printable ASCII characters of Helvetica, which every reader of PDF files has, in thousandths of its size.
const WIDTHS: [u16; 95] = [
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556,
    556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667, 611, 778, 722, 278,
    500, 667, 556, 833, 722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469,
    556, 333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, 556, 556, 333, 500,
    278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
];

type Drawn = Result<(), DrawingErrorKind<Infallible>>;

/// A page on which a plot is drawn.
pub(super) struct Page<'a> {
    content: &'a mut Content,
    size: (u32, u32),
}

impl<'a> Page<'a> {
    /// Creates a page of the given size, which is drawn as `content`.
    pub(super) fn new(content: &'a mut Content, size: (u32, u32)) -> Self {
        Self { content, size }
    }

    fn x(&self, x: f32) -> f32 {
        x * POINTS
    }

    /// Returns the coordinate of a PDF file, where the y axis points upwards.
    #[expect(clippy::cast_precision_loss)]
    fn y(&self, y: f32) -> f32 {
        (self.size.1 as f32 - y) * POINTS
    }

    fn path(&mut self, points: impl IntoIterator<Item = BackendCoord>) {
        for (index, point) in points.into_iter().enumerate() {
            let (x, y) = units(point);
            let (x, y) = (self.x(x), self.y(y));
            if index == 0 {
                self.content.move_to(x, y);
            } else {
                self.content.line_to(x, y);
            }
        }
    }

    fn stroke_style(&mut self, style: &impl BackendStyle) {
        let [red, green, blue] = on_white(style.color());
        #[expect(clippy::cast_precision_loss)]
        self.content.set_line_width(style.stroke_width() as f32 * POINTS);
        self.content.set_stroke_rgb(red, green, blue);
    }

    fn fill_style(&mut self, color: BackendColor) {
        let [red, green, blue] = on_white(color);
        self.content.set_fill_rgb(red, green, blue);
    }
}

/// Returns the file whose page has the given size and content.
#[expect(clippy::cast_precision_loss)]
pub(super) fn encoded(content: Content, (width, height): (u32, u32)) -> Vec<u8> {
    let [catalog, tree, page_id, font, stream] = [1, 2, 3, 4, 5].map(Ref::new);
    let mut pdf = Pdf::new();
    pdf.catalog(catalog).pages(tree);
    pdf.pages(tree).kids([page_id]).count(1);
    let mut page = pdf.page(page_id);
    page.media_box(Rect::new(0.0, 0.0, width as f32 * POINTS, height as f32 * POINTS));
    page.parent(tree);
    page.contents(stream);
    page.resources().fonts().pair(FONT, font);
    page.finish();
    pdf.type1_font(font).base_font(Name(b"Helvetica")).encoding_predefined(Name(b"WinAnsiEncoding"));
    pdf.stream(stream, &content.finish());
    pdf.finish()
}

#[expect(clippy::cast_precision_loss)]
fn units((x, y): BackendCoord) -> (f32, f32) {
    (x as f32, y as f32)
}

/// Returns the colour as it looks on white paper.
#[expect(clippy::cast_possible_truncation)]
fn on_white(BackendColor { alpha, rgb: (red, green, blue) }: BackendColor) -> [f32; 3] {
    [red, green, blue].map(|part| (1.0 - alpha * (1.0 - f64::from(part) / 255.0)) as f32)
}

/// Returns the text as the bytes of the font, with a question mark for every character that it lacks.
fn printable(text: &str) -> Vec<u8> {
    let byte = |letter: char| u8::try_from(letter).ok().filter(|byte| (b' '..=b'~').contains(byte));
    text.chars().map(|letter| byte(letter).unwrap_or(b'?')).collect()
}

/// Returns the width of the text in sizes of the font.
fn width(text: &[u8]) -> f32 {
    let of = |&byte: &u8| WIDTHS.get(usize::from(byte - b' ')).copied().unwrap_or(0);
    text.iter().map(|byte| f32::from(of(byte))).sum::<f32>() / 1000.0
}

impl DrawingBackend for Page<'_> {
    type ErrorType = Infallible;

    fn get_size(&self) -> (u32, u32) {
        self.size
    }

    fn ensure_prepared(&mut self) -> Drawn {
        Ok(())
    }

    fn present(&mut self) -> Drawn {
        Ok(())
    }

    fn draw_pixel(&mut self, point: BackendCoord, color: BackendColor) -> Drawn {
        self.draw_rect(point, (point.0 + 1, point.1 + 1), &color, true)
    }

    fn draw_line<S: BackendStyle>(&mut self, from: BackendCoord, to: BackendCoord, style: &S) -> Drawn {
        self.draw_path([from, to], style)
    }

    fn draw_rect<S: BackendStyle>(
        &mut self,
        upper_left: BackendCoord,
        bottom_right: BackendCoord,
        style: &S,
        fill: bool,
    ) -> Drawn {
        let ((left, top), (right, bottom)) = (upper_left, bottom_right);
        let corners = [(left, top), (right, top), (right, bottom), (left, bottom)];
        if fill {
            self.fill_polygon(corners, style)
        } else {
            self.draw_path([&corners[..], &corners[..1]].concat(), style)
        }
    }

    fn draw_path<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        path: I,
        style: &S,
    ) -> Drawn {
        if style.color().alpha > 0.0 {
            self.stroke_style(style);
            self.content.set_line_join(LineJoinStyle::RoundJoin);
            self.path(path);
            self.content.stroke();
        }
        Ok(())
    }

    fn draw_circle<S: BackendStyle>(
        &mut self,
        center: BackendCoord,
        radius: u32,
        style: &S,
        fill: bool,
    ) -> Drawn {
        if style.color().alpha == 0.0 {
            return Ok(());
        }
        // The distance of the control points with which four cubic curves come closest to a circle.
        const CONTROL: f32 = 0.5523;
        let (x, y) = units(center);
        let (x, y) = (self.x(x), self.y(y));
        #[expect(clippy::cast_precision_loss)]
        let r = radius as f32 * POINTS;
        let c = r * CONTROL;
        self.content.move_to(x + r, y);
        self.content.cubic_to(x + r, y + c, x + c, y + r, x, y + r);
        self.content.cubic_to(x - c, y + r, x - r, y + c, x - r, y);
        self.content.cubic_to(x - r, y - c, x - c, y - r, x, y - r);
        self.content.cubic_to(x + c, y - r, x + r, y - c, x + r, y);
        self.content.close_path();
        if fill {
            self.fill_style(style.color());
            self.content.fill_nonzero();
        } else {
            self.stroke_style(style);
            self.content.stroke();
        }
        Ok(())
    }

    fn fill_polygon<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        corners: I,
        style: &S,
    ) -> Drawn {
        if style.color().alpha > 0.0 {
            self.fill_style(style.color());
            self.path(corners);
            self.content.fill_nonzero();
        }
        Ok(())
    }

    fn draw_text<S: BackendTextStyle>(&mut self, text: &str, style: &S, at: BackendCoord) -> Drawn {
        // The size of a font is the height of its line. The letters are placed as in SVG files.
        #[expect(clippy::cast_possible_truncation)]
        let size = (style.size() / 1.24) as f32 * POINTS;
        let text = printable(text);
        let across = width(&text)
            * match style.anchor().h_pos {
                HPos::Left => 0.0,
                HPos::Center => -0.5,
                HPos::Right => -1.0,
            };
        let down = match style.anchor().v_pos {
            VPos::Top => 0.76,
            VPos::Center => 0.26,
            VPos::Bottom => -0.26,
        };
        // The direction of the text as cosine and sine.
        let (cos, sin) = match style.transform() {
            FontTransform::None => (1.0, 0.0),
            FontTransform::Rotate90 => (0.0, -1.0),
            FontTransform::Rotate180 => (-1.0, 0.0),
            FontTransform::Rotate270 => (0.0, 1.0),
        };
        let (x, y) = units(at);
        let (along, up) = (across * size, -down * size);
        let (x, y) = (self.x(x) + cos * along - sin * up, self.y(y) + sin * along + cos * up);
        self.fill_style(style.color());
        self.content.begin_text().set_font(FONT, size).set_text_matrix([cos, sin, -sin, cos, x, y]);
        self.content.show(Str(&text)).end_text();
        Ok(())
    }
}
