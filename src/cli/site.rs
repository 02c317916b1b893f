//! The command `nerode site DIR... --out FOLDER`, which writes the page and packed solutions as files for any web server.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use anyhow::{Context, Result, bail};
use schemars::JsonSchema;
use serde::Serialize;

use super::hints::advised;
use super::output::{Outcome, Output, bytes, duration, table};
use super::resources::ResourceArgs;
use super::sectors::sectors_or_all;
use super::serve::with_folders;
use super::words::{directory, shell};
use crate::facade::library;
use crate::registry;
use nerode_dfa::disk;
use nerode_morris::compressed::{LookAhead, PackedSectors, Packing, Progress, pack_directory};
use nerode_morris::tables::SectorDir;
use nerode_morris::tables::ask::SectorSolution;
use nerode_serve::site::{Listed, PackedFile, documents, page, site_index};
use nerode_serve::{Shelf, Shown};
use nerode_solver::archive::claim::LOCK;
use nerode_solver::archive::compact::write_maps;
use nerode_solver::archive::packing::write_reached;
use nerode_solver::archive::stored_run::StoredRun;
use nerode_solver::archive::values::Values;
use nerode_solver::archive::{Contents, kind_of};
use nerode_solver::error::check_interrupt;
use nerode_solver::solve::method::Method;
use nerode_solver::solve::resources::Resources;
use nerode_solver::stored::{Solution, Stored};

/// The folder of the module, next to the program, unless another one is named.
const MODULE: &str = "wasm";
/// The files of the module, and their names in a site.
const MODULE_FILES: [(&str, &str); 2] = [("nerode.wasm", "nerode.wasm"), ("index.js", "nerode.js")];
/// The index of a site, which shows that a folder is one.
const INDEX: &str = "data/site.json";

/// Arguments of `site`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Solutions: runs, values, sectors of a morris game or packed sectors; folders of them; or games that are solved in 'runs'
    #[arg(value_name = "DIR", required = true)]
    dirs: Vec<PathBuf>,
    /// The folder to write
    #[arg(long, value_name = "FOLDER", value_parser = directory())]
    out: PathBuf,
    /// The folder of the WebAssembly module and its script, which '.ci/wasm' builds in wasm/npm [default: 'wasm' next to the
    /// program]
    #[arg(long, value_name = "FOLDER")]
    module: Option<PathBuf>,
    /// Replace an existing site
    #[arg(long)]
    overwrite: bool,
    #[command(flatten)]
    resources: ResourceArgs,
}

/// A site without a server.
#[derive(JsonSchema, Serialize)]
pub(super) struct Site {
    /// The folder of the site.
    folder: PathBuf,
    /// The solutions.
    solutions: Vec<Row>,
    /// The solutions that are not part of the site, with the reasons.
    left_out: Vec<LeftOut>,
    /// The size of the module in bytes.
    module_bytes: u64,
    /// The total size of all files in bytes.
    bytes: u64,
    /// The elapsed time in seconds.
    seconds: f64,
}

/// A solution in a site.
#[derive(JsonSchema, Serialize)]
struct Row {
    /// The name of the solution in addresses.
    id: String,
    /// The game with its parameters, such as `breakthrough:4x5`.
    game: String,
    /// The form in which it is packed.
    form: String,
    /// The size of the packed files in bytes.
    bytes: u64,
}

/// A solution that a site cannot contain.
#[derive(JsonSchema, Serialize)]
struct LeftOut {
    /// The directory or file.
    path: PathBuf,
    /// The reason.
    reason: String,
}

pub(super) fn run(args: &Args, out: &Output) -> Result<Outcome> {
    let began = Instant::now();
    let resources = args.resources.resolve()?;
    let module = module_folder(args)?;
    must_be_free(&args.out, args.overwrite)?;
    let paths = with_folders(&args.dirs, out)?;
    let mut broken = Vec::new();
    let mut report = |path: &Path, error: &crate::Error| broken.push(left_out(path, error));
    let shelf = Shelf::open(library(), &paths, resources.memory, &mut report)?;
    // A site is complete or absent: it is written next to its place, and then renamed.
    let parent = args.out.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    disk::create_dir_all(parent).with_context(|| format!("cannot create {}", parent.display()))?;
    let scratch = tempfile::Builder::new().prefix(".site-").tempdir_in(parent);
    let scratch = scratch.with_context(|| format!("cannot write into {}", parent.display()))?;
    let mut writer = Writer { root: scratch.path().join("site"), bytes: 0 };
    let progress = out.progress("site");
    let all = shelf.all();
    let (mut listed, mut rows) = (Vec::new(), Vec::new());
    for (done, ((id, shown), path)) in all.iter().zip(&paths).enumerate() {
        progress.item(id.clone(), done, all.len());
        check_interrupt(&resources.interrupt)?;
        let Shown::Open(source) = shown else {
            if let Shown::NotYet(why) = shown {
                broken.push(left_out(path, why));
            }
            continue;
        };
        match writer.add(id, path, source, &resources)? {
            Ok((one, row)) => {
                listed.push(one);
                rows.push(row);
            }
            Err(reason) => broken.push(left_out(path, reason)),
        }
    }
    progress.finish();
    for one in &broken {
        out.warn(&format!("{} is not part of the site: {}", one.path.display(), one.reason));
    }
    if listed.is_empty() {
        bail!("no solution can be part of a site");
    }
    for (name, text) in page() {
        writer.write(name, text.as_bytes())?;
    }
    let mut module_bytes = 0;
    for (from, to) in MODULE_FILES {
        let file = module.join(from);
        let contents = disk::read(&file).with_context(|| format!("cannot read {}", file.display()))?;
        module_bytes += if from == to { contents.len() as u64 } else { 0 };
        writer.write(to, &contents)?;
    }
    writer.write(INDEX, &site_index(&listed)?)?;
    put(&writer.root, &args.out, scratch.path())?;
    let site = Site {
        folder: args.out.clone(),
        solutions: rows,
        left_out: broken,
        module_bytes,
        bytes: writer.bytes,
        seconds: began.elapsed().as_secs_f64(),
    };
    out.result(&site, text)?;
    Ok(Outcome::Done)
}

fn left_out(path: &Path, reason: impl ToString) -> LeftOut {
    LeftOut { path: path.into(), reason: reason.to_string() }
}

/// Returns the folder of the module, which must contain its files.
fn module_folder(args: &Args) -> Result<PathBuf> {
    let beside = || {
        let program = std::env::current_exe().ok();
        program.and_then(|program| Some(program.parent()?.join(MODULE))).unwrap_or_else(|| MODULE.into())
    };
    let folder = args.module.clone().unwrap_or_else(beside);
    match MODULE_FILES.iter().find(|(name, _)| !folder.join(name).is_file()) {
        None => Ok(folder),
        Some((name, _)) => Err(advised(
            format!("{} does not contain the file {name} of the WebAssembly module", folder.display()),
            "in a clone of the project, '.ci/wasm --build' builds the module, and --module wasm/npm names it",
        )),
    }
}

/// Rejects a place that contains anything but a site that may be replaced.
fn must_be_free(folder: &Path, overwrite: bool) -> Result<()> {
    let is_empty = || disk::read_dir(folder).is_ok_and(|mut entries| entries.next().is_none());
    if !folder.exists() || is_empty() {
        return Ok(());
    }
    if !folder.join(INDEX).is_file() {
        return Err(advised(
            format!("{} exists and is not a site", folder.display()),
            "choose another folder with --out",
        ));
    }
    match overwrite {
        true => Ok(()),
        false => Err(advised(
            format!("the site {} exists already", folder.display()),
            "replace it with --overwrite, or choose another folder with --out",
        )),
    }
}

/// Moves a finished site to its place. The site that was there is kept in `scratch` until the new one is in its place, and returns
/// if that fails.
fn put(site: &Path, to: &Path, scratch: &Path) -> Result<()> {
    let failed = || format!("cannot create {}", to.display());
    let old = scratch.join("old");
    let replaces = to.exists();
    if replaces {
        disk::rename(to, &old).with_context(failed)?;
    }
    let placed = disk::rename(site, to);
    if placed.is_err() && replaces {
        disk::rename(&old, to).with_context(failed)?;
    }
    placed.with_context(failed)
}

/// A site that is being written.
struct Writer {
    root: PathBuf,
    /// The bytes of all files so far.
    bytes: u64,
}

impl Writer {
    /// Writes a file, whose name may contain folders.
    fn write(&mut self, name: &str, contents: &[u8]) -> Result<()> {
        use std::io::Write;
        let path = self.root.join(name);
        let failed = || format!("cannot write {}", path.display());
        if let Some(folder) = path.parent() {
            disk::create_dir_all(folder).with_context(failed)?;
        }
        let mut file = disk::File::create_new(&path).with_context(failed)?;
        file.write_all(contents).with_context(failed)?;
        file.sync_all().with_context(failed)?;
        self.bytes += contents.len() as u64;
        Ok(())
    }

    /// Packs a solution into the site and describes it, or returns the reason why a site cannot contain it.
    fn add(
        &mut self,
        id: &str,
        path: &Path,
        source: &Arc<Solution>,
        resources: &Resources,
    ) -> Result<std::result::Result<(Listed, Row), String>> {
        if let Some(ply) = source.ply_so_far() {
            return Ok(Err(format!("the run is unfinished: it has reached ply {ply}")));
        }
        let folder = self.root.join("data").join(id).join("packed");
        if let Some(parent) = folder.parent() {
            disk::create_dir_all(parent).with_context(|| format!("cannot create {}", parent.display()))?;
        }
        if let Err(reason) = pack(path, &folder, resources)? {
            return Ok(Err(reason));
        }
        disk::remove_file_if_there(&folder.join(LOCK))?;
        let packed = Arc::new(Solution::new(stored(&folder)?, Solution::digest_at(&folder)?));
        let mut files = Vec::new();
        for name in names(&folder)? {
            let bytes = disk::metadata(&folder.join(&name))?.len();
            self.bytes += bytes;
            files.push(PackedFile { name, bytes });
        }
        let bytes = files.iter().map(|file| file.bytes).sum();
        for (name, contents) in documents(id, &packed, source)? {
            self.write(&format!("data/{id}/{name}"), &contents)?;
        }
        let row = Row { id: id.into(), game: packed.game().spec(), form: packed.form(), bytes };
        Ok(Ok((Listed::new(id, &packed, files), row)))
    }
}

/// Packs the solution at `path` into `folder`, or copies it if it is packed already. Returns the reason if neither is possible.
fn pack(path: &Path, folder: &Path, resources: &Resources) -> Result<std::result::Result<(), String>> {
    if SectorDir::exists(path) {
        let solution = SectorSolution::open(path)?.with_memory(resources.memory);
        let sectors = sectors_or_all(&solution, &[])?;
        let packing = Packing {
            sectors: &sectors,
            folder,
            overwrite: false,
            look_ahead: LookAhead { plies: 0, in_hand: None },
            depths: true,
            reuse: None,
            interrupt: &resources.interrupt,
        };
        resources.pool()?.install(|| pack_directory(&solution, &packing, &mut |_: &Progress| ()))?;
        return Ok(Ok(()));
    }
    match kind_of(path) {
        Some(Contents::Run) => {
            let run = StoredRun::open_with(path, registry())?.with_memory(resources.memory);
            if run.method() == Method::Meet {
                write_reached(&run, folder, false, resources, &mut |_, _| ())?;
            } else {
                write_maps(&run, folder, true, false, resources, &mut |_, _| ())?;
            }
        }
        Some(Contents::Values | Contents::PackedSectors) => {
            disk::create_dir_all(folder)?;
            for name in names(path)? {
                let file = path.join(&name);
                std::io::copy(
                    &mut disk::File::open(&file)?,
                    &mut disk::File::create_new(&folder.join(&name))?,
                )
                .with_context(|| format!("cannot copy {}", file.display()))?;
            }
        }
        _ => return Ok(Err("only runs, values and sectors of morris games can be packed".into())),
    }
    Ok(Ok(()))
}

/// Opens a packed solution in the form in which the module opens it, without searches for depths.
fn stored(folder: &Path) -> Result<Box<dyn Stored>> {
    Ok(match kind_of(folder) {
        Some(Contents::PackedSectors) => Box::new(PackedSectors::open(folder)?),
        _ => Box::new(Values::open_with(folder, registry())?),
    })
}

/// Returns the names of the files in a folder, sorted, without those of locks.
fn names(folder: &Path) -> Result<Vec<String>> {
    let unreadable = || format!("cannot read {}", folder.display());
    let mut names = Vec::new();
    for entry in disk::read_dir(folder).with_context(unreadable)? {
        let entry = entry.with_context(unreadable)?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if entry.path().is_file() && name != LOCK {
            names.push(name);
        }
    }
    names.sort();
    Ok(names)
}

fn text(site: &Site) -> String {
    let row = |row: &Row| vec![row.id.clone(), row.game.clone(), row.form.clone(), bytes(row.bytes)];
    let rows: Vec<Vec<String>> = site.solutions.iter().map(row).collect();
    format!(
        "site in {}, {}, of which the module takes {}, {}\n{}\n\nto try it: python3 -m http.server --directory {}",
        site.folder.display(),
        bytes(site.bytes),
        bytes(site.module_bytes),
        duration(site.seconds),
        table(&["id", "game", "form", "bytes"], &rows),
        shell(&site.folder),
    )
}
