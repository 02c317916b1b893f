//! Gives the shared library its name for the dynamic linker, which changes with every incompatible version of the interface.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    if std::env::var("CARGO_CFG_TARGET_OS").as_deref() == Ok("linux") {
        println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,libnerode.so.0");
    }
}
