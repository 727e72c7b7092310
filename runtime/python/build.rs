//! Linker arguments of a Python extension: macOS needs some, as Python defines the symbols that it uses.

fn main() {
    pyo3_build_config::add_extension_module_link_args();
}
