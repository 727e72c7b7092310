//! Templates: the arguments they are given or that follow from a call, and their instances.
//!
//! A template is kept as syntax. Each list of arguments makes it once, in the scope in which it was
//! declared, with its parameters standing for the arguments; a function's body when it is called.

mod arguments;
mod attempt;
mod declare;
mod deduce;
mod instantiate;
mod kind;
mod order;
mod partial;
mod specialise;
mod variable;
