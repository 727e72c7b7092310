//! One program on many machines: how large should the first cache be?
//!
//! `cargo run --release -p reconverge --example sweep`

use reconverge::{CompileOptions, Error, Module, Target};
use std::path::Path;

fn main() -> Result<(), Error> {
    let saxpy = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/saxpy.cu");
    let module = Module::compile(&saxpy, &CompileOptions::default())?;
    let x = vec![1.0f32; 1024];
    for size in ["16384", "32768", "49152"] {
        let mut gpu = module.load(&Target::with("gtx480", &[("l1.size", size)])?)?;
        let (from, to) = (gpu.buffer(&x)?, gpu.zeros::<f32>(1024)?);
        let arguments = [1024i32.into(), 2.5f32.into(), from.into(), to.into()];
        let report = gpu.launch("saxpy", 4, 256, 0, &arguments)?;
        println!("{size}: {} cycles", report.statistics.map_or(0, |counted| counted.cycles));
        assert_eq!(gpu.read(&to)[0], 2.5);
    }
    Ok(())
}
