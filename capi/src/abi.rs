//! The functions of the C interface: the only module with unsafe code.
//!
//! Every function checks pointers for null and alignment, handles for their kind, and texts for UTF-8, before it uses them. What
//! a function cannot check is in its section *Safety*: that a pointer leads to as many bytes as the caller says, and that a
//! handle has not been freed. The safe functions of [`nerode_probe`] do everything else, within [`guarded`], which turns
//! failures into codes and stops panics.
#![expect(unsafe_code, reason = "pointers from C; see the module documentation")]

use std::cell::Cell;
use std::ffi::{c_char, c_void};
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::ptr;
use std::sync::Arc;

use ::nerode_probe::{
    Bytes, Coverage, DepthSource, Evaluation, Folder, Ground, Look, Position, Probe, Settings, Side, Value,
};

use crate::failure::Failure;
use crate::list::{Drawing, Moves};
use crate::types::{
    NERODE_INTERFACE, nerode_coverage, nerode_depth, nerode_description, nerode_drawing,
    nerode_drawing_description, nerode_evaluation, nerode_ground, nerode_look, nerode_move, nerode_moves,
    nerode_place, nerode_probe, nerode_status, nerode_text, nerode_value,
};

/// A source of files, such as range requests of a host. Set `version` to `NERODE_INTERFACE`.
///
/// Several threads may call the functions at the same time. A function returns `NERODE_OK`, `NERODE_MISSING` if no file has
/// the name, or any other code if it fails. It must not throw exceptions. Names are UTF-8 and not terminated by a null byte.
#[repr(C)]
pub struct nerode_source {
    /// `NERODE_INTERFACE`.
    pub version: u32,
    /// 0.
    pub reserved: u32,
    /// A pointer that the functions receive. It must stay valid until the solution is closed.
    pub context: *mut c_void,
    /// Stores the number of bytes of a file in `bytes`.
    pub length: Option<
        unsafe extern "C" fn(
            context: *mut c_void,
            name: *const c_char,
            name_length: usize,
            bytes: *mut u64,
        ) -> i32,
    >,
    /// Stores the `count` bytes of a file from byte `at` on in `bytes`.
    pub read: Option<
        unsafe extern "C" fn(
            context: *mut c_void,
            name: *const c_char,
            name_length: usize,
            at: u64,
            bytes: *mut u8,
            count: usize,
        ) -> i32,
    >,
}

type Outcome = Result<(), Failure>;

/// A value behind a handle, with the mark of its kind at the beginning.
#[repr(C)]
struct Handle<T> {
    mark: u64,
    value: T,
}

/// A kind of handle.
trait Kind {
    type Opaque;
    const MARK: u64;
    const NAME: &'static str;
}

impl Kind for Probe {
    type Opaque = nerode_probe;
    const MARK: u64 = u64::from_le_bytes(*b"NERprobe");
    const NAME: &'static str = "a packed solution";
}

impl Kind for Moves {
    type Opaque = nerode_moves;
    const MARK: u64 = u64::from_le_bytes(*b"NERmoves");
    const NAME: &'static str = "a list of moves";
}

impl Kind for Drawing {
    type Opaque = nerode_drawing;
    const MARK: u64 = u64::from_le_bytes(*b"NERdrawn");
    const NAME: &'static str = "a drawing";
}

/// The mark of a handle that has been closed.
const CLOSED: u64 = u64::from_le_bytes(*b"NERclose");

fn handle_of<T: Kind>(value: T) -> *mut T::Opaque {
    Box::into_raw(Box::new(Handle { mark: T::MARK, value })).cast()
}

/// Returns the value of a handle.
///
/// # Safety
/// The pointer is null, or leads to readable memory of a handle that stays open for `'a`.
unsafe fn value_of<'a, T: Kind>(pointer: *const T::Opaque) -> Result<&'a T, Failure> {
    let handle = pointer.cast::<Handle<T>>();
    if handle.is_null() || !handle.is_aligned() {
        return Err(Failure::handle(format!("expected {}, found a null or misaligned pointer", T::NAME)));
    }
    // SAFETY: every handle begins with its mark, and the caller guarantees that the memory is readable.
    let mark = unsafe { handle.cast::<u64>().read() };
    if mark != T::MARK {
        let found = if mark == CLOSED { "a closed handle" } else { "another pointer" };
        return Err(Failure::handle(format!("expected {}, found {found}", T::NAME)));
    }
    // SAFETY: only `handle_of` writes the mark, in front of a value of this type.
    Ok(unsafe { &(*handle).value })
}

/// Frees a handle. A null pointer is accepted.
///
/// # Safety
/// As in [`value_of`], and no other thread uses the handle.
unsafe fn free<T: Kind>(pointer: *mut T::Opaque) -> nerode_status {
    if pointer.is_null() {
        return nerode_status::NERODE_OK;
    }
    guarded(ptr::null_mut(), || {
        // SAFETY: the contract of this function.
        unsafe { value_of::<T>(pointer) }?;
        let handle = pointer.cast::<Handle<T>>();
        // SAFETY: the handle is open, and this thread is the only one that uses it.
        let mut handle = unsafe { Box::from_raw(handle) };
        // Volatile, because nothing else would notice that the mark has changed.
        // SAFETY: the box owns the mark.
        unsafe { ptr::write_volatile(&raw mut handle.mark, CLOSED) };
        drop(handle);
        Ok(())
    })
}

/// Calls `work`, and returns its failure or panic as a code with a message.
fn guarded(message: *mut nerode_text, work: impl FnOnce() -> Outcome) -> nerode_status {
    let failure = match catch_unwind(AssertUnwindSafe(work)) {
        Ok(Ok(())) => None,
        Ok(Err(failure)) => Some(failure),
        Err(panic) => {
            let text = panic.downcast_ref::<String>().cloned();
            let text = text.or_else(|| panic.downcast_ref::<&str>().map(ToString::to_string));
            let message = format!("the library panicked: {}", text.unwrap_or_default());
            // A payload whose destructor panics would unwind into C.
            std::mem::forget(panic);
            Some(Failure { status: nerode_status::NERODE_INTERNAL, message })
        }
    };
    let (status, text) = match failure {
        None => (nerode_status::NERODE_OK, None),
        Some(failure) => (failure.status, Some(failure.message)),
    };
    if !message.is_null() && message.is_aligned() {
        // SAFETY: the caller of the interface passes null or a pointer to a text.
        unsafe { message.write(text_of(text)) };
    }
    status
}

/// Returns a text for the caller, with a null byte at the end.
fn text_of(text: Option<String>) -> nerode_text {
    let Some(text) = text else { return nerode_text { data: ptr::null_mut(), length: 0 } };
    let (length, mut bytes) = (text.len(), text.into_bytes());
    bytes.push(0);
    nerode_text { data: Box::into_raw(bytes.into_boxed_slice()).cast(), length }
}

/// Returns the bytes of an argument.
///
/// # Safety
/// If the pointer is not null, it leads to `count` readable bytes that stay unchanged for `'a`.
unsafe fn bytes_of<'a>(data: *const u8, count: usize, what: &str) -> Result<&'a [u8], Failure> {
    if count == 0 {
        return Ok(&[]);
    }
    if data.is_null() || isize::try_from(count).is_err() {
        return Err(Failure::argument(format!("{what} is null or impossibly long")));
    }
    // SAFETY: the contract of this function.
    Ok(unsafe { std::slice::from_raw_parts(data, count) })
}

/// Returns the text of an argument.
///
/// # Safety
/// As in [`bytes_of`].
unsafe fn str_of<'a>(data: *const c_char, length: usize, what: &str) -> Result<&'a str, Failure> {
    // SAFETY: the contract of this function.
    let bytes = unsafe { bytes_of(data.cast(), length, what) }?;
    std::str::from_utf8(bytes).map_err(|e| Failure::argument(format!("{what} is not UTF-8: {e}")))
}

/// Stores a result.
///
/// # Safety
/// The pointer is null or leads to a `T` that may be written.
unsafe fn store<T>(out: *mut T, value: T) -> Outcome {
    if out.is_null() || !out.is_aligned() {
        return Err(Failure::argument("the pointer to the result is null or misaligned"));
    }
    // SAFETY: the contract of this function.
    unsafe { out.write(value) };
    Ok(())
}

/// Checks the version of a struct of the caller, whose first field it is.
///
/// # Safety
/// The pointer is null or leads to a readable number.
unsafe fn must_be_current<T>(argument: *const T) -> Outcome {
    if argument.is_null() || !argument.is_aligned() {
        return Err(Failure::argument("the pointer to a struct is null or misaligned"));
    }
    // SAFETY: the contract of this function, and every struct with a version begins with it.
    let version = unsafe { argument.cast::<u32>().read() };
    if version == NERODE_INTERFACE {
        return Ok(());
    }
    Err(Failure::argument(format!("a struct has version {version}, not {NERODE_INTERFACE}")))
}

fn evaluation_of(found: Evaluation) -> nerode_evaluation {
    let value = |value: Value| match value {
        Value::Loss => nerode_value::NERODE_LOSS,
        Value::Draw => nerode_value::NERODE_DRAW,
        Value::Win => nerode_value::NERODE_WIN,
    };
    let (depth_kind, depth) = match (found.depth(), found.depth_bound()) {
        (Some(plies), _) => (nerode_depth::NERODE_DEPTH_EXACT, plies),
        (None, Some(plies)) => (nerode_depth::NERODE_DEPTH_AT_MOST, plies),
        (None, None) => (nerode_depth::NERODE_DEPTH_NONE, 0),
    };
    nerode_evaluation {
        version: NERODE_INTERFACE,
        is_covered: found.is_covered().into(),
        value: found.value().map_or(nerode_value::NERODE_UNKNOWN, value),
        depth_kind,
        depth,
        least: value(found.range().least()),
        most: value(found.range().most()),
        reserved: 0,
    }
}

/// A source of the caller. The context is kept as a number, because any thread may pass it on.
#[derive(Clone, Copy)]
struct Source {
    context: usize,
    length: unsafe extern "C" fn(*mut c_void, *const c_char, usize, *mut u64) -> i32,
    read: unsafe extern "C" fn(*mut c_void, *const c_char, usize, u64, *mut u8, usize) -> i32,
}

/// A file of such a source.
struct SourceFile {
    source: Source,
    name: String,
}

fn source_error(status: i32, name: &str) -> io::Result<()> {
    match status {
        0 => Ok(()),
        _ if status == nerode_status::NERODE_MISSING as i32 => Err(io::ErrorKind::NotFound.into()),
        _ => Err(io::Error::other(format!("the source failed with code {status} for {name}"))),
    }
}

impl Bytes for SourceFile {
    fn read_at(&self, at: u64, bytes: &mut [u8]) -> io::Result<()> {
        let Self { source, name } = self;
        let context = ptr::with_exposed_provenance_mut(source.context);
        // SAFETY: the caller of `nerode_open_source` promised a function of this kind, which fills the bytes.
        let status = unsafe {
            (source.read)(context, name.as_ptr().cast(), name.len(), at, bytes.as_mut_ptr(), bytes.len())
        };
        source_error(status, name)
    }

    fn num_bytes(&self) -> io::Result<u64> {
        let Self { source, name } = self;
        let (context, mut bytes) = (ptr::with_exposed_provenance_mut(source.context), 0);
        // SAFETY: as above.
        let status = unsafe { (source.length)(context, name.as_ptr().cast(), name.len(), &raw mut bytes) };
        source_error(status, name).map(|()| bytes)
    }
}

impl Folder for Source {
    fn open(&self, name: &str) -> io::Result<Box<dyn Bytes>> {
        let file = SourceFile { source: *self, name: name.into() };
        file.num_bytes()?;
        Ok(Box::new(file))
    }
}

/// Returns `NERODE_INTERFACE` as the library was compiled with. A program that was compiled with another header must not use
/// the library.
#[unsafe(no_mangle)]
pub extern "C" fn nerode_interface_version() -> u32 {
    NERODE_INTERFACE
}

/// Returns the version of the library, such as `0.1.0`, as a text that ends in a null byte and is never freed.
#[unsafe(no_mangle)]
pub extern "C" fn nerode_version() -> *const c_char {
    concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast()
}

/// Opens a packed solution on disk: the folder that `nerode pack` writes, or its file `reached.packed`.
///
/// `cache_bytes` is the memory for parts of packed values of reached positions and of sectors of a morris game; 16777216 is a
/// good choice. Values as automata are read completely. On success, `out` receives a handle that the caller frees with
/// `nerode_close`, and on failure null. `message` may be null. Otherwise, it receives a text that the caller frees with
/// `nerode_text_free`: the reason of a failure, or no text. Threads: any.
///
/// ```c
/// nerode_probe *probe;
/// nerode_text message;
/// if (nerode_open("4x5/values", 10, 16777216, &probe, &message) != NERODE_OK) {
///     fprintf(stderr, "%s\n", message.data);
///     nerode_text_free(&message);
/// }
/// ```
///
/// # Safety
/// `path` leads to `path_length` bytes, and `out` and `message` are null or lead to memory that may be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nerode_open(
    path: *const c_char,
    path_length: usize,
    cache_bytes: u64,
    out: *mut *mut nerode_probe,
    message: *mut nerode_text,
) -> nerode_status {
    guarded(message, || {
        // SAFETY: the contract of this function.
        let path = unsafe {
            store(out, ptr::null_mut())?;
            str_of(path, path_length, "the path")
        }?;
        let probe = Probe::open_path(Path::new(path), &settings(cache_bytes))?;
        // SAFETY: the contract of this function.
        unsafe { store(out, handle_of(probe)) }
    })
}

/// Opens packed values of reached positions in memory: the bytes of a file `reached.packed`, which are copied.
///
/// Results, failures and threads are those of `nerode_open`.
///
/// # Safety
/// `bytes` leads to `count` bytes, and `out` and `message` are null or lead to memory that may be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nerode_open_bytes(
    bytes: *const u8,
    count: usize,
    cache_bytes: u64,
    out: *mut *mut nerode_probe,
    message: *mut nerode_text,
) -> nerode_status {
    guarded(message, || {
        // SAFETY: the contract of this function.
        let bytes = unsafe {
            store(out, ptr::null_mut())?;
            bytes_of(bytes, count, "the memory")
        }?;
        let mut copy = Vec::new();
        copy.try_reserve_exact(bytes.len()).map_err(|_| Failure {
            status: nerode_status::NERODE_MEMORY,
            message: format!("no memory for {count} bytes"),
        })?;
        copy.extend_from_slice(bytes);
        let probe = Probe::open(Box::new(copy), &settings(cache_bytes))?;
        // SAFETY: the contract of this function.
        unsafe { store(out, handle_of(probe)) }
    })
}

/// Opens a packed solution whose files the caller reads, such as by range requests. The files have the names that
/// `nerode pack` gives them.
///
/// The struct is copied; its context must stay valid until the solution is closed. Results, failures and threads are those of
/// `nerode_open`.
///
/// # Safety
/// `source` is null or leads to a struct whose functions behave as described there, and `out` and `message` are null or lead to
/// memory that may be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nerode_open_source(
    source: *const nerode_source,
    cache_bytes: u64,
    out: *mut *mut nerode_probe,
    message: *mut nerode_text,
) -> nerode_status {
    guarded(message, || {
        // SAFETY: the contract of this function.
        let source = unsafe {
            store(out, ptr::null_mut())?;
            must_be_current(source)?;
            &*source
        };
        let (Some(length), Some(read)) = (source.length, source.read) else {
            return Err(Failure::argument("a function of the source is null"));
        };
        let source = Source { context: source.context.expose_provenance(), length, read };
        let probe = Probe::open_folder(Arc::new(source), &settings(cache_bytes))?;
        // SAFETY: the contract of this function.
        unsafe { store(out, handle_of(probe)) }
    })
}

fn settings(cache_bytes: u64) -> Settings<'static> {
    Settings { cache_bytes, ..Settings::default() }
}

/// Closes a solution and frees its memory. A null pointer is accepted.
///
/// Threads: no other thread may use the handle, and none may use it afterwards.
///
/// # Safety
/// `probe` is null or a handle that is open.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nerode_close(probe: *mut nerode_probe) -> nerode_status {
    // SAFETY: the contract of this function.
    unsafe { free::<Probe>(probe) }
}

/// Frees a text of the library and sets it to no text. Null pointers are accepted.
///
/// # Safety
/// `text` is null or leads to a text that the library has stored there.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nerode_text_free(text: *mut nerode_text) {
    if text.is_null() || !text.is_aligned() {
        return;
    }
    // SAFETY: the contract of this function.
    let nerode_text { data, length } = unsafe { text.replace(text_of(None)) };
    if !data.is_null() {
        // SAFETY: `text_of` has made the data of a boxed slice with one more byte.
        drop(unsafe { Box::from_raw(ptr::slice_from_raw_parts_mut(data.cast::<u8>(), length + 1)) });
    }
}

/// Stores the properties of a solution.
///
/// Messages and failures are those of `nerode_open`. Threads: any.
///
/// # Safety
/// `probe` is null or a handle that is open, and `out` and `message` are null or lead to memory that may be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nerode_describe(
    probe: *const nerode_probe,
    out: *mut nerode_description,
    message: *mut nerode_text,
) -> nerode_status {
    guarded(message, || {
        // SAFETY: the contract of this function.
        let probe = unsafe {
            must_be_current(out)?;
            value_of::<Probe>(probe)
        }?;
        let description = nerode_description {
            version: NERODE_INTERFACE,
            coverage: match probe.coverage() {
                Coverage::AllBoards => nerode_coverage::NERODE_ALL_BOARDS,
                Coverage::ReachedPositions | Coverage::AdmissiblePositions => nerode_coverage::NERODE_REACHED,
                Coverage::CareSet => nerode_coverage::NERODE_CARE_SET,
                Coverage::Sectors => nerode_coverage::NERODE_SECTORS,
            },
            is_complete: probe.is_complete().into(),
            has_depths: (probe.depth_source() != DepthSource::Absent).into(),
            num_cells: probe.game().cell_states().len(),
        };
        // SAFETY: the contract of this function.
        unsafe { store(out, description) }
    })
}

/// Stores the canonical spec of the game, such as `breakthrough:4x5`, as a text that the caller frees.
///
/// # Safety
/// As for `nerode_describe`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nerode_game(
    probe: *const nerode_probe,
    out: *mut nerode_text,
    message: *mut nerode_text,
) -> nerode_status {
    // SAFETY: the contract of this function.
    unsafe { about(probe, out, message, |probe| probe.game().spec()) }
}

/// Stores the rules of the game in words, as a text that the caller frees.
///
/// # Safety
/// As for `nerode_describe`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nerode_rules(
    probe: *const nerode_probe,
    out: *mut nerode_text,
    message: *mut nerode_text,
) -> nerode_status {
    // SAFETY: the contract of this function.
    unsafe { about(probe, out, message, |probe| probe.game().rules()) }
}

/// Stores the start position in the notation of the game, as a text that the caller frees.
///
/// # Safety
/// As for `nerode_describe`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nerode_start(
    probe: *const nerode_probe,
    out: *mut nerode_text,
    message: *mut nerode_text,
) -> nerode_status {
    let start = |probe: &Probe| probe.game().format_position(&probe.game().start_position());
    // SAFETY: the contract of this function.
    unsafe { about(probe, out, message, start) }
}

/// Stores a text about a solution.
///
/// # Safety
/// As for `nerode_describe`.
unsafe fn about(
    probe: *const nerode_probe,
    out: *mut nerode_text,
    message: *mut nerode_text,
    text: impl FnOnce(&Probe) -> String,
) -> nerode_status {
    guarded(message, || {
        // SAFETY: the contract of this function.
        let probe = unsafe {
            store(out, text_of(None))?;
            value_of::<Probe>(probe)
        }?;
        // SAFETY: the contract of this function.
        unsafe { store(out, text_of(Some(text(probe)))) }
    })
}

/// Stores value and depth of a position, which is given in the notation of the game.
///
/// A value that the solution does not contain is inferred from the moves as far as possible; `is_covered` tells whether it is
/// contained. Messages are those of `nerode_open`. Fails with `NERODE_POSITION`, `NERODE_DAMAGED`, `NERODE_IO` or
/// `NERODE_MISSING`. Threads: any.
///
/// ```c
/// nerode_evaluation found = {.version = NERODE_INTERFACE};
/// const char *position = "bb/../ww b";
/// if (nerode_evaluate(probe, position, strlen(position), &found, NULL) == NERODE_OK && found.value == NERODE_WIN
///     && found.depth_kind == NERODE_DEPTH_EXACT)
///     printf("win in %u plies\n", (unsigned)found.depth);
/// ```
///
/// # Safety
/// `probe` is null or a handle that is open, `position` leads to `position_length` bytes, and `out` and `message` are null or
/// lead to memory that may be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nerode_evaluate(
    probe: *const nerode_probe,
    position: *const c_char,
    position_length: usize,
    out: *mut nerode_evaluation,
    message: *mut nerode_text,
) -> nerode_status {
    guarded(message, || {
        // SAFETY: the contract of this function.
        let (probe, position) = unsafe {
            must_be_current(out)?;
            (value_of::<Probe>(probe)?, str_of(position, position_length, "the position")?)
        };
        let found = probe.evaluate(&probe.position(position)?)?;
        // SAFETY: the contract of this function.
        unsafe { store(out, evaluation_of(found)) }
    })
}

thread_local! {
    /// The memory for the board of a position, which a look-up would otherwise allocate.
    static CELLS: Cell<Vec<u8>> = const { Cell::new(Vec::new()) };
}

/// Stores value and depth of a position, which is given by the contents of its cells and the side to move, 1 or 2.
///
/// This is the fastest look-up, because no text is read. In built-in games on a board with places, the first cells are the
/// places of a drawing in the same order, and 0 is an empty one, such as 1 for a piece of the first side and 2 for one of the
/// second. They are followed by what the drawing does not show, such as the stones in hand of both sides. In games from
/// files, the first cell usually tells whose turn it is, and squares that never change have no cell. `nerode_cells` stores the
/// cells of a position, which can serve as a pattern. Otherwise the same as `nerode_evaluate`.
///
/// # Safety
/// `probe` is null or a handle that is open, `board` leads to `num_cells` bytes, and `out` and `message` are null or lead to
/// memory that may be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nerode_evaluate_board(
    probe: *const nerode_probe,
    board: *const u8,
    num_cells: usize,
    side: u32,
    out: *mut nerode_evaluation,
    message: *mut nerode_text,
) -> nerode_status {
    guarded(message, || {
        // SAFETY: the contract of this function.
        let (probe, board) = unsafe {
            must_be_current(out)?;
            (value_of::<Probe>(probe)?, bytes_of(board, num_cells, "the board")?)
        };
        let side = match side {
            1 => Side::P1,
            2 => Side::P2,
            other => return Err(Failure::argument(format!("side {other}; the sides are 1 and 2"))),
        };
        // The place of the memory is looked up once: in a shared library, this takes a call.
        let found = CELLS.with(|memory| {
            let mut cells = memory.take();
            cells.clear();
            cells.extend_from_slice(board);
            let position = Position { board: cells, side };
            let found = probe.evaluate(&position);
            memory.set(position.board);
            found
        });
        // SAFETY: the contract of this function.
        unsafe { store(out, evaluation_of(found?)) }
    })
}

/// Stores the contents of the cells of a position, as `nerode_evaluate_board` takes them, and the side to move, 1 or 2.
///
/// `num_cells` is the number of cells, which `nerode_describe` stores. Fails with `NERODE_ARGUMENT` if it is another number,
/// and with `NERODE_POSITION` if the text is not a position. Messages are those of `nerode_open`. Threads: any.
///
/// ```c
/// uint8_t board[9]; // tic-tac-toe 3x3: 0 empty, 1 a cross, 2 a ring, from the lower left to the upper right
/// uint32_t side;
/// nerode_evaluation found = {.version = NERODE_INTERFACE};
/// if (nerode_cells(probe, "3/3/3 x", 7, board, 9, &side, NULL) == NERODE_OK) {
///     board[4] = 1; // a cross in the centre
///     nerode_evaluate_board(probe, board, 9, 2, &found, NULL);
/// }
/// ```
///
/// # Safety
/// `probe` is null or a handle that is open, `position` leads to `position_length` bytes, `board` leads to `num_cells` bytes
/// that may be written, and `side` and `message` are null or lead to memory that may be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nerode_cells(
    probe: *const nerode_probe,
    position: *const c_char,
    position_length: usize,
    board: *mut u8,
    num_cells: usize,
    side: *mut u32,
    message: *mut nerode_text,
) -> nerode_status {
    guarded(message, || {
        // SAFETY: the contract of this function.
        let (probe, position) =
            unsafe { (value_of::<Probe>(probe)?, str_of(position, position_length, "the position")?) };
        let Position { board: cells, side: to_move } = probe.position(position)?;
        if board.is_null() || cells.len() != num_cells {
            let reason = format!("memory for {num_cells} cells, or null; the board has {}", cells.len());
            return Err(Failure::argument(reason));
        }
        // SAFETY: the contract of this function.
        unsafe {
            store(side, to_move.index() as u32 + 1)?;
            ptr::copy_nonoverlapping(cells.as_ptr(), board, num_cells);
        }
        Ok(())
    })
}

/// Stores an answer about a position, or `nothing` on failure.
///
/// # Safety
/// As for `nerode_evaluate`.
unsafe fn answer<T>(
    probe: *const nerode_probe,
    (position, position_length): (*const c_char, usize),
    (out, nothing): (*mut T, T),
    message: *mut nerode_text,
    of: impl FnOnce(&Probe, &Position) -> Result<T, Failure>,
) -> nerode_status {
    guarded(message, || {
        // SAFETY: the contract of this function.
        let (probe, position) = unsafe {
            store(out, nothing)?;
            (value_of::<Probe>(probe)?, str_of(position, position_length, "the position")?)
        };
        let found = of(probe, &probe.position(position)?)?;
        // SAFETY: the contract of this function.
        unsafe { store(out, found) }
    })
}

/// Stores the legal moves of a position with their evaluations, the best move first, as a list that the caller frees with
/// `nerode_moves_free`. The list is empty if the game is over.
///
/// Messages and failures are those of `nerode_evaluate`; on failure, `out` receives null. Threads: any.
///
/// # Safety
/// As for `nerode_evaluate`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nerode_query(
    probe: *const nerode_probe,
    position: *const c_char,
    position_length: usize,
    out: *mut *mut nerode_moves,
    message: *mut nerode_text,
) -> nerode_status {
    // SAFETY: the contract of this function.
    unsafe {
        answer(probe, (position, position_length), (out, ptr::null_mut()), message, |probe, position| {
            Ok(handle_of(Moves::of(probe.game(), probe.query(position)?.moves())))
        })
    }
}

/// Stores the principal variation from a position, at most `most` moves, as a list that the caller frees with
/// `nerode_moves_free`. Evaluations are those for the side that makes the move. The line of a draw ends with the move
/// that repeats a position.
///
/// Messages and failures are those of `nerode_evaluate`; on failure, `out` receives null. Threads: any.
///
/// # Safety
/// As for `nerode_evaluate`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nerode_line(
    probe: *const nerode_probe,
    position: *const c_char,
    position_length: usize,
    most: usize,
    out: *mut *mut nerode_moves,
    message: *mut nerode_text,
) -> nerode_status {
    // SAFETY: the contract of this function.
    unsafe {
        answer(probe, (position, position_length), (out, ptr::null_mut()), message, |probe, position| {
            Ok(handle_of(Moves::of(probe.game(), &probe.best_line(position, most)?)))
        })
    }
}

/// Stores the number of moves of a list.
///
/// # Safety
/// `moves` is null or a list that has not been freed, and `out` is null or leads to memory that may be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nerode_moves_count(moves: *const nerode_moves, out: *mut usize) -> nerode_status {
    guarded(ptr::null_mut(), || {
        // SAFETY: the contract of this function.
        unsafe { store(out, value_of::<Moves>(moves)?.lines.len()) }
    })
}

/// Stores a move of a list, by its number from 0 on. Fails with `NERODE_ARGUMENT` if there are fewer. The texts stay valid until
/// the list is freed.
///
/// # Safety
/// `moves` is null or a list that has not been freed, and `out` is null or leads to memory that may be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nerode_moves_get(
    moves: *const nerode_moves,
    number: usize,
    out: *mut nerode_move,
) -> nerode_status {
    guarded(ptr::null_mut(), || {
        // SAFETY: the contract of this function.
        let moves = unsafe {
            must_be_current(out)?;
            value_of::<Moves>(moves)
        }?;
        let line = moves.lines.get(number).ok_or_else(|| Failure::argument("there are fewer moves"))?;
        let mv = nerode_move {
            version: NERODE_INTERFACE,
            reserved: 0,
            evaluation: evaluation_of(line.evaluation),
            text: line.text.as_ptr().cast(),
            text_length: line.text.len(),
            position: line.position.as_ptr().cast(),
            position_length: line.position.len(),
        };
        // SAFETY: the contract of this function.
        unsafe { store(out, mv) }
    })
}

/// Frees a list of moves. A null pointer is accepted.
///
/// # Safety
/// `moves` is null or a list that has not been freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nerode_moves_free(moves: *mut nerode_moves) -> nerode_status {
    // SAFETY: the contract of this function.
    unsafe { free::<Moves>(moves) }
}

/// Stores the position after a legal move, as a text that the caller frees. Positions and moves are in the notation of the game.
///
/// Fails with `NERODE_POSITION` if the move is not legal; the message lists the legal moves. Threads: any.
///
/// # Safety
/// As for `nerode_evaluate`, and `move_text` leads to `move_length` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nerode_play(
    probe: *const nerode_probe,
    position: *const c_char,
    position_length: usize,
    move_text: *const c_char,
    move_length: usize,
    out: *mut nerode_text,
    message: *mut nerode_text,
) -> nerode_status {
    // SAFETY: the contract of this function.
    unsafe {
        answer(probe, (position, position_length), (out, text_of(None)), message, |probe, position| {
            let after = probe.play(position, str_of(move_text, move_length, "the move")?)?;
            Ok(text_of(Some(probe.game().format_position(&after))))
        })
    }
}

/// Stores the reason why a position certainly cannot occur in play, as a text that the caller frees, or no text if no such
/// reason is known. Threads: any.
///
/// # Safety
/// As for `nerode_evaluate`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nerode_why_illegal(
    probe: *const nerode_probe,
    position: *const c_char,
    position_length: usize,
    out: *mut nerode_text,
    message: *mut nerode_text,
) -> nerode_status {
    // SAFETY: the contract of this function.
    unsafe {
        answer(probe, (position, position_length), (out, text_of(None)), message, |probe, position| {
            Ok(text_of(probe.why_illegal(position)?))
        })
    }
}

/// Stores the data of a drawing of a position, which the caller frees with `nerode_drawing_free`, or null if the game has no
/// picture. Failures are those of `nerode_evaluate`. Threads: any.
///
/// # Safety
/// As for `nerode_evaluate`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nerode_draw(
    probe: *const nerode_probe,
    position: *const c_char,
    position_length: usize,
    out: *mut *mut nerode_drawing,
    message: *mut nerode_text,
) -> nerode_status {
    // SAFETY: the contract of this function.
    unsafe {
        answer(probe, (position, position_length), (out, ptr::null_mut()), message, |probe, position| {
            let picture = probe.picture(position)?;
            Ok(picture.map_or(ptr::null_mut(), |picture| handle_of(Drawing::of(picture))))
        })
    }
}

/// Stores the properties of a drawing.
///
/// # Safety
/// `drawing` is null or a drawing that has not been freed, and `out` is null or leads to memory that may be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nerode_drawing_describe(
    drawing: *const nerode_drawing,
    out: *mut nerode_drawing_description,
) -> nerode_status {
    guarded(ptr::null_mut(), || {
        // SAFETY: the contract of this function.
        let drawing = unsafe {
            must_be_current(out)?;
            value_of::<Drawing>(drawing)
        }?;
        let description = nerode_drawing_description {
            version: NERODE_INTERFACE,
            ground: match drawing.picture.ground {
                Ground::Squares { chequered: false } => nerode_ground::NERODE_SQUARES,
                Ground::Squares { chequered: true } => nerode_ground::NERODE_CHEQUERED,
                Ground::Lines(_) => nerode_ground::NERODE_LINES,
                Ground::Hexagons => nerode_ground::NERODE_HEXAGONS,
            },
            num_files: drawing.picture.files.len(),
            num_ranks: drawing.picture.ranks.len(),
            num_places: drawing.picture.places.len(),
            num_lines: drawing.lines().len(),
        };
        // SAFETY: the contract of this function.
        unsafe { store(out, description) }
    })
}

/// Stores a place of a drawing, by its number from 0 on. Fails with `NERODE_ARGUMENT` if there are fewer. The name stays valid
/// until the drawing is freed.
///
/// # Safety
/// As for `nerode_drawing_describe`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nerode_drawing_place(
    drawing: *const nerode_drawing,
    number: usize,
    out: *mut nerode_place,
) -> nerode_status {
    guarded(ptr::null_mut(), || {
        // SAFETY: the contract of this function.
        let drawing = unsafe {
            must_be_current(out)?;
            value_of::<Drawing>(drawing)
        }?;
        let fewer = || Failure::argument("there are fewer places");
        let place = drawing.picture.places.get(number).ok_or_else(fewer)?;
        let name = drawing.names.get(number).ok_or_else(fewer)?;
        let (look, letter) = match place.figure.map(|figure| figure.look) {
            None => (nerode_look::NERODE_EMPTY, 0),
            Some(Look::Disc) => (nerode_look::NERODE_DISC, 0),
            Some(Look::Cross) => (nerode_look::NERODE_CROSS, 0),
            Some(Look::Ring) => (nerode_look::NERODE_RING, 0),
            Some(Look::Pawn) => (nerode_look::NERODE_PAWN, 0),
            Some(Look::Amazon) => (nerode_look::NERODE_AMAZON, 0),
            Some(Look::Block) => (nerode_look::NERODE_BLOCK, 0),
            Some(Look::Thing) => (nerode_look::NERODE_THING, 0),
            Some(Look::Man(letter)) => (nerode_look::NERODE_MAN, u32::from(letter)),
        };
        let place = nerode_place {
            version: NERODE_INTERFACE,
            file: place.at.0 as u32,
            rank: place.at.1 as u32,
            look,
            owner: place.figure.and_then(|figure| figure.owner).map_or(0, |side| side.index() as u32 + 1),
            is_light: place.figure.is_some_and(|figure| figure.light).into(),
            letter,
            reserved: 0,
            name: name.as_ptr().cast(),
            name_length: name.len(),
        };
        // SAFETY: the contract of this function.
        unsafe { store(out, place) }
    })
}

/// Stores the two places that a line of a drawing connects, by the number of the line from 0 on. Fails with `NERODE_ARGUMENT` if
/// there are fewer lines.
///
/// # Safety
/// As for `nerode_drawing_describe`, where `from` and `to` are results.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nerode_drawing_line(
    drawing: *const nerode_drawing,
    number: usize,
    from: *mut usize,
    to: *mut usize,
) -> nerode_status {
    guarded(ptr::null_mut(), || {
        // SAFETY: the contract of this function.
        let drawing = unsafe { value_of::<Drawing>(drawing) }?;
        let line = drawing.lines().get(number).ok_or_else(|| Failure::argument("there are fewer lines"))?;
        // SAFETY: the contract of this function.
        unsafe {
            store(from, line.0)?;
            store(to, line.1)
        }
    })
}

/// Frees a drawing. A null pointer is accepted.
///
/// # Safety
/// `drawing` is null or a drawing that has not been freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nerode_drawing_free(drawing: *mut nerode_drawing) -> nerode_status {
    // SAFETY: the contract of this function.
    unsafe { free::<Drawing>(drawing) }
}
