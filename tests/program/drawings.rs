//! Drawings: the names of their files, and the messages about them.

use crate::common::program::{ends, refused, with_run};

/// A drawing with the extension of another format could not be opened by any program.
#[test]
fn a_drawing_is_svg_by_name_too() {
    let dir = with_run("breakthrough:2x4", &["--method", "retrograde"]);
    let at = dir.path();
    let command = ["query", "run", "start", "--plot"];
    for name in ["x.png", "x.pdf", "x.svg.gz"] {
        let errors = refused(at, &[&command[..], &[name]].concat());
        assert!(errors.contains("drawings are SVG") && errors.contains(".svg"), "{errors}");
        assert!(!at.join(name).exists());
    }
    for name in ["x.svg", "X.SVG", "plain"] {
        let text = ends(at, 0, &[&command[..], &[name]].concat());
        assert!(text.ends_with(&format!("\nplot: {name}\n")), "{text}");
        std::fs::remove_file(at.join(name)).unwrap();
    }
}
