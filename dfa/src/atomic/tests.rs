use std::io::Read;

use super::*;

fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    write_atomic(path, |e| e, |writer| writer.write_all(bytes))
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        fs::read_dir(folder).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

// `/dev/full` rejects every byte, like a full disk.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error_and_leaves_nothing() {
    for len in [10, 1 << 20] {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("value.bin");
        let temporary = dir.path().join("value.bin.tmp");
        std::os::unix::fs::symlink("/dev/full", &temporary).unwrap();
        let full = File::append(Path::new("/dev/full")).unwrap();
        let fill = |writer: &mut BufWriter<File>| writer.write_all(&vec![7; len]);
        let failed = fill_and_rename(full, temporary, &Target { path: &path, replaces: true }, |e| e, fill);
        assert_eq!(failed.unwrap_err().kind(), io::ErrorKind::StorageFull);
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0);
        assert_eq!(
            write(Path::new("/dev/full"), &vec![7; len]).unwrap_err().kind(),
            io::ErrorKind::StorageFull
        );
    }
}

#[test]
fn files_of_others_that_end_in_tmp_stay() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("x.csv");
    for name in ["x.csv.tmp", "x.tmp", ".tmp"] {
        fs::write(dir.path().join(name), "foreign").unwrap();
    }
    write(&path, b"mine").unwrap();
    assert_eq!(names(dir.path()), [".tmp", "x.csv", "x.csv.tmp", "x.tmp"]);
    assert_eq!(fs::read_to_string(dir.path().join("x.csv.tmp")).unwrap(), "foreign");
}

#[test]
fn temporary_names_are_recognised() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("x.csv");
    write_atomic(
        &path,
        |e| e,
        |_| {
            let held = names(dir.path());
            assert_eq!(
                held.iter().map(|name| unfinished(name)).collect::<Vec<_>>(),
                [Some("x.csv")],
                "{held:?}"
            );
            Ok::<(), io::Error>(())
        },
    )
    .unwrap();
    for name in [
        "x.csv",
        "x.csv.tmp",
        "x.7-0.tmp",
        "x.unfinished-7.tmp",
        "x.unfinished-a-0.tmp",
        "x.unfinished-7-.tmp",
        "x.unfinished-7-0",
    ] {
        assert_eq!(unfinished(name), None, "{name}");
    }
}

#[test]
fn a_name_as_long_as_the_system_allows_is_written() {
    let dir = tempfile::tempdir().unwrap();
    for letter in ["x", "\u{e4}", "\u{1f600}"] {
        let name = letter.repeat(255 / letter.len());
        write(&dir.path().join(&name), b"long").unwrap();
        assert_eq!(names(dir.path()), std::slice::from_ref(&name));
        fs::remove_file(dir.path().join(name)).unwrap();
    }
}

#[test]
fn a_directory_is_no_file() {
    let dir = tempfile::tempdir().unwrap();
    for path in [dir.path().to_path_buf(), dir.path().join(".."), PathBuf::from("/")] {
        assert!(write(&path, b"x").is_err(), "{path:?}");
    }
    assert!(names(dir.path()).is_empty());
}

#[cfg(unix)]
#[test]
fn a_link_stays_and_the_file_it_leads_to_is_replaced() {
    use std::os::unix::fs::symlink;

    let dir = tempfile::tempdir().unwrap();
    let far = dir.path().join("far");
    fs::create_dir(&far).unwrap();
    let link = dir.path().join("link");
    symlink("far/middle", &link).unwrap();
    symlink("file", far.join("middle")).unwrap();
    for text in ["made where the links end", "replaced"] {
        write(&link, text.as_bytes()).unwrap();
        assert!(link.is_symlink() && far.join("middle").is_symlink());
        assert!(!far.join("file").is_symlink());
        assert_eq!(fs::read_to_string(far.join("file")).unwrap(), text);
        assert_eq!(
            (names(dir.path()), names(&far)),
            (vec!["far".into(), "link".into()], vec!["file".into(), "middle".into()])
        );
    }
    let ring = dir.path().join("ring");
    symlink("ring", &ring).unwrap();
    assert!(write(&ring, b"x").is_err());
    assert!(ring.is_symlink());
}

#[cfg(unix)]
#[test]
fn a_file_that_is_replaced_hands_its_permissions_on() {
    use std::os::unix::fs::PermissionsExt;

    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("secret");
    fs::write(&path, "old").unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
    write(&path, b"new").unwrap();
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
}

/// Data is written to an open file or pipe at the current position of its reader or writer.
#[cfg(target_os = "linux")]
#[test]
fn pipes_and_open_files_are_written_through() {
    use std::os::fd::AsRawFd;

    let (mut reader, writer) = io::pipe().unwrap();
    write(Path::new(&format!("/dev/fd/{}", writer.as_raw_fd())), b"through").unwrap();
    drop(writer);
    let mut text = String::new();
    reader.read_to_string(&mut text).unwrap();
    assert_eq!(text, "through");

    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("log");
    let mut open = fs::File::create(&path).unwrap();
    open.write_all(b"before ").unwrap();
    write(Path::new(&format!("/proc/self/fd/{}", open.as_raw_fd())), b"after").unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), "before after");
    assert_eq!(names(dir.path()), ["log"]);
    write(Path::new("/dev/null"), b"gone").unwrap();
}

fn write_once(path: &Path, bytes: &[u8]) -> io::Result<()> {
    write_new(path, |e| e, |writer| writer.write_all(bytes))
}

#[test]
fn a_new_file_takes_the_place_of_no_other() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("x.csv");
    write_once(&path, b"first").unwrap();
    assert_eq!(write_once(&path, b"second").unwrap_err().kind(), io::ErrorKind::AlreadyExists);
    assert_eq!((fs::read(&path).unwrap(), names(dir.path())), (b"first".to_vec(), vec!["x.csv".to_string()]));
}

#[test]
fn of_two_writers_of_a_new_file_one_succeeds() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("x.csv");
    let told = |result: io::Result<()>| result.unwrap_err().kind();
    // The second writer begins while the first one is writing.
    let first = |writer: &mut BufWriter<File>| {
        assert_eq!(told(write_once(&path, b"second")), io::ErrorKind::ResourceBusy);
        writer.write_all(b"first")
    };
    write_new(&path, |e| e, first).unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"first");
    fs::remove_file(&path).unwrap();
    // The second writer does not check for the first one, and finishes before it.
    let slow = |writer: &mut BufWriter<File>| {
        writer.write_all(b"slow")?;
        write(&path, b"fast")
    };
    assert_eq!(told(write_new(&path, |e| e, slow)), io::ErrorKind::AlreadyExists);
    assert_eq!((fs::read(&path).unwrap(), names(dir.path())), (b"fast".to_vec(), vec!["x.csv".to_string()]));
}

#[test]
fn what_killed_writers_left_goes_and_what_others_write_stays() {
    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str| dir.path().join(name);
    for name in ["x.csv.unfinished-17-0.tmp", "x.csv.tmp", "y.csv.unfinished-17-0.tmp"] {
        fs::write(at(name), "left").unwrap();
    }
    write_once(&at("x.csv"), b"new").unwrap();
    assert_eq!(names(dir.path()), ["x.csv", "x.csv.tmp", "y.csv.unfinished-17-0.tmp"]);
    let live = fs::File::create(at("x.csv.unfinished-18-0.tmp")).unwrap();
    live.lock().unwrap();
    assert!(remove_abandoned(&at("x.csv")).unwrap() && at("x.csv.unfinished-18-0.tmp").exists());
    drop(live);
    assert!(!remove_abandoned(&at("x.csv")).unwrap() && !at("x.csv.unfinished-18-0.tmp").exists());
    assert!(!remove_abandoned_in(dir.path()).unwrap());
    assert_eq!(names(dir.path()), ["x.csv", "x.csv.tmp"]);
}

#[test]
fn files_of_a_scratch_directory_need_not_last() {
    let scratch = ScratchDir::with_prefix("nerode-test-").unwrap();
    assert!(scratch.path().file_name().unwrap().to_str().unwrap().starts_with("nerode-test-"));
    let file = scratch.path().join("runs/value.bin");
    fs::create_dir(file.parent().unwrap()).unwrap();
    write(&file, b"soon gone").unwrap();
    assert_eq!(names(file.parent().unwrap()), ["value.bin"]);
    assert!(super::scratch::is_scratch(&file));
    let beside = scratch.path().with_extension("kept");
    assert!(!super::scratch::is_scratch(&beside.join("value.bin")));
    let path = scratch.path().to_path_buf();
    drop(scratch);
    assert!(!path.exists() && !super::scratch::is_scratch(&file), "another directory may get this name");
}
