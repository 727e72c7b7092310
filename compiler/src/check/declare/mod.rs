//! Declarations of variables and types.

pub(crate) mod body;
pub(crate) mod class;
pub(crate) mod declarator;
mod deduced;
mod device_text;
mod entry;
mod enumeration;
pub(crate) mod function;
pub(crate) mod global;
pub(crate) mod init;
mod local;
mod names;
pub(crate) mod parameter;
pub(crate) mod reference;
pub(crate) mod specifier;
mod variable;
