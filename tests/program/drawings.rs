//! Drawings: names of their files, and what is said of them.

use crate::common::program::{ends, refused, with_run};

/// A drawing under the name of another format would be a file that no program opens.
#[test]
fn a_drawing_is_svg_by_name_too() {
    let dir = with_run("breakthrough:2x4", &["--method", "retrograde"]);
    let at = dir.path();
    for command in [&["query", "run", "start"][..], &["stats", "run"]] {
        for name in ["x.png", "x.pdf", "x.svg.gz"] {
            let errors = refused(at, &[command, &["--plot", name]].concat());
            assert!(errors.contains("drawings are SVG") && errors.contains(".svg"), "{errors}");
            assert!(!at.join(name).exists());
        }
        for name in ["x.svg", "X.SVG", "plain"] {
            let text = ends(at, 0, &[command, &["--plot", name]].concat());
            assert!(text.ends_with(&format!("\nplot: {name}\n")), "{text}");
            std::fs::remove_file(at.join(name)).unwrap();
        }
    }
}
