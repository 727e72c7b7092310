//! Studies: programs × sizes × configurations, run once each, kept in a store, and shown beside a
//! paper's numbers.
//!
//! A [`file::StudyFile`] states the runs and the figures. [`plan::Plan`] is every run that it
//! requires, each a [`point::Point`] with an identity. [`engine`] runs those that the
//! [`store::Store`] lacks. [`results::Results`] are figures made of the points' statistics by
//! [`expression::Expression`]s. The crate `reconverge-report` writes them.

mod beside;
pub mod catalogue;
pub mod comparison;
pub mod emit;
pub mod engine;
pub mod expression;
pub mod file;
pub mod plan;
pub mod point;
pub mod provenance;
pub mod reference;
pub mod results;
pub mod settings;
pub mod store;
pub mod values;
pub mod whole_file;

/// The digest of the sources that results depend on, taken when this was built; SHA-256, hexadecimal. `runtime/sources.txt`
/// lists their folders.
pub const SOURCES: &str = env!("RECONVERGE_SOURCES");

/// The commit of this build, if it is known.
pub const COMMIT: &str = env!("RECONVERGE_COMMIT");

/// The digest of this build's machine files; SHA-256, hexadecimal.
pub const MACHINES: &str = env!("RECONVERGE_MACHINES");

/// The version of this program.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Everything that results depend on: version, commit, and the digests of sources and machine files.
pub const ORIGIN: &str = concat!(
    env!("CARGO_PKG_VERSION"),
    "\ncommit:        ",
    env!("RECONVERGE_COMMIT"),
    "\nsources:       ",
    env!("RECONVERGE_SOURCES"),
    "\nmachine files: ",
    env!("RECONVERGE_MACHINES"),
);
