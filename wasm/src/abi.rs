//! The functions that the host calls, and those that it provides: the only module with unsafe code.
//!
//! The module has one thread. A request is written into a buffer that `reserve` returns, and its answer is read from the buffer
//! that `result` returns. Solutions are named by numbers. The host reads and writes only within these two buffers and within
//! the ranges that the module passes to it.
#![expect(
    unsafe_code,
    reason = "the functions of the host, and exported names; see the module documentation"
)]

use std::cell::RefCell;
use std::io;
use std::path::Path;
use std::sync::Arc;

use nerode_probe::{Bytes, Error, Evaluation, Folder, Probe, Settings, Side, Value};

use crate::requests::{Failure, answer};

#[link(wasm_import_module = "host")]
unsafe extern "C" {
    /// Returns the number of bytes of a file, -1 if it does not exist, or -2 if the host cannot say.
    fn file_length(folder: u32, name: *const u8, name_bytes: usize) -> f64;
    /// Copies the `count` bytes of a file from byte `at` on to `to`, and returns 0 if it succeeds.
    fn file_read(folder: u32, name: *const u8, name_bytes: usize, at: f64, to: *mut u8, count: usize) -> i32;
}

/// The files of a solution, which the host knows by a number.
struct HostFolder(u32);

/// A file of the host.
struct HostFile {
    folder: u32,
    name: String,
    length: u64,
}

impl Folder for HostFolder {
    fn open(&self, name: &str) -> io::Result<Box<dyn Bytes>> {
        // SAFETY: the host reads the name, which is valid for its length, and keeps no pointer.
        let length = unsafe { file_length(self.0, name.as_ptr(), name.len()) };
        match length {
            -1.0 => Err(io::ErrorKind::NotFound.into()),
            // Numbers of this type are exact up to 2^53.
            0.0..=9e15 => Ok(Box::new(HostFile { folder: self.0, name: name.into(), length: length as u64 })),
            _ => Err(io::Error::other("the host cannot open the file")),
        }
    }
}

impl Bytes for HostFile {
    fn num_bytes(&self) -> io::Result<u64> {
        Ok(self.length)
    }

    fn read_at(&self, at: u64, into: &mut [u8]) -> io::Result<()> {
        if at.checked_add(into.len() as u64).is_none_or(|end| end > self.length) {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let (name, to) = (&self.name, into.as_mut_ptr());
        // SAFETY: the host reads the name and writes `into.len()` bytes, both of which are valid, and keeps no pointer.
        let code = unsafe { file_read(self.folder, name.as_ptr(), name.len(), at as f64, to, into.len()) };
        match code {
            0 => Ok(()),
            _ => Err(io::Error::other("the host cannot read the file")),
        }
    }
}

/// The open solutions, and the buffers.
struct State {
    open: Vec<Option<Probe>>,
    request: Vec<u8>,
    result: String,
}

thread_local! {
    static STATE: RefCell<State> = const { RefCell::new(State { open: Vec::new(), request: Vec::new(), result: String::new() }) };
}

/// Runs `work`, and stores its answer or failure as the result. Returns 0 for an answer and -1 for a failure.
fn with_result(work: impl FnOnce(&mut State) -> Result<String, Failure>) -> i32 {
    STATE.with_borrow_mut(|state| {
        let (code, text) = match work(state) {
            Ok(text) => (0, text),
            Err(failure) => (-1, failure.json()),
        };
        state.result = text;
        code
    })
}

fn closed() -> Failure {
    Failure::new("the solution is closed")
}

/// Returns a buffer of `bytes` bytes for a request, or null if the memory does not suffice.
// SAFETY: no other function has this name.
#[unsafe(no_mangle)]
pub extern "C" fn reserve(bytes: usize) -> *mut u8 {
    STATE.with_borrow_mut(|state| {
        state.request.clear();
        if state.request.try_reserve(bytes).is_err() {
            return std::ptr::null_mut();
        }
        state.request.resize(bytes, 0);
        state.request.as_mut_ptr()
    })
}

/// Returns the result of the last call.
// SAFETY: no other function has this name.
#[unsafe(no_mangle)]
pub extern "C" fn result() -> *const u8 {
    STATE.with_borrow(|state| state.result.as_ptr())
}

/// Returns the number of bytes of the result of the last call.
// SAFETY: no other function has this name.
#[unsafe(no_mangle)]
pub extern "C" fn result_bytes() -> usize {
    STATE.with_borrow(|state| state.result.len())
}

/// Opens the solution in a folder of the host, or in the file that the request names. The result is its number.
// SAFETY: no other function has this name.
#[unsafe(no_mangle)]
pub extern "C" fn open(folder: u32, cache_bytes: u32) -> i32 {
    with_result(|state| {
        let name = String::from_utf8_lossy(&state.request).into_owned();
        let settings = Settings {
            cache_bytes: cache_bytes.into(),
            name: Path::new(if name.is_empty() { "solution" } else { &name }),
            ..Settings::default()
        };
        let files = HostFolder(folder);
        let probe = match name.is_empty() {
            true => Probe::open_folder(Arc::new(files), &settings),
            false => files
                .open(&name)
                .map_err(|e| Error::io(settings.name, e))
                .and_then(|file| Probe::open(file, &settings)),
        };
        let probe = probe.map_err(Failure::new)?;
        let free = state.open.iter().position(Option::is_none).unwrap_or_else(|| {
            state.open.push(None);
            state.open.len() - 1
        });
        state.open[free] = Some(probe);
        Ok(free.to_string())
    })
}

/// Closes a solution.
// SAFETY: no other function has this name.
#[unsafe(no_mangle)]
pub extern "C" fn close(handle: usize) {
    STATE.with_borrow_mut(|state| {
        if let Some(open) = state.open.get_mut(handle) {
            *open = None;
        }
    });
}

/// Answers the request in the buffer.
// SAFETY: no other function has this name.
#[unsafe(no_mangle)]
pub extern "C" fn ask(handle: usize) -> i32 {
    with_result(|state| {
        let probe = state.open.get(handle).and_then(Option::as_ref).ok_or_else(closed)?;
        answer(probe, &state.request)
    })
}

/// Looks up the position whose cells are in the buffer. Returns the value (0 not known, 1 loss, 2 draw, 3 win), plus 4 if the
/// solution covers the position, plus 8 if the depth is known or 16 if it is a bound, plus 32 times the depth. Returns -1 for
/// a failure.
// SAFETY: no other function has this name.
#[unsafe(no_mangle)]
pub extern "C" fn look_up(handle: usize, side: u32) -> i32 {
    STATE.with_borrow_mut(|state| {
        let side = if side == 0 { Side::P1 } else { Side::P2 };
        let found = match state.open.get(handle).and_then(Option::as_ref) {
            None => Err(closed()),
            Some(probe) => probe
                .position_of(&state.request, side)
                .and_then(|position| probe.evaluate(&position))
                .map_err(Failure::new),
        };
        match found {
            Ok(found) => packed(&found),
            Err(failure) => {
                state.result = failure.json();
                -1
            }
        }
    })
}

fn packed(found: &Evaluation) -> i32 {
    let value = match found.value() {
        None => 0,
        Some(Value::Loss) => 1,
        Some(Value::Draw) => 2,
        Some(Value::Win) => 3,
    };
    let covered = if found.is_covered() { 4 } else { 0 };
    let depth = |plies: u32| i32::try_from(plies).unwrap_or(0) << 5;
    let plies = match (found.depth(), found.depth_bound()) {
        (Some(plies), _) => 8 | depth(plies),
        (None, Some(plies)) => 16 | depth(plies),
        (None, None) => 0,
    };
    value | covered | plies
}
