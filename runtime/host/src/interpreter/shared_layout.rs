//! The layout of the `__shared__` variables that a kernel reaches in its block's shared memory.

use super::bytecode::{Code, Inst, Op};
use crate::memory::SHARED_BASE;
use reconverge_compiler::check::tree::{FunctionId, Module};
use reconverge_ptx::barrier::CountedBarriers;
use std::collections::{BTreeMap, BTreeSet};

/// The shared memory of a kernel.
#[derive(Clone, Debug, Default)]
pub struct SharedLayout {
    /// Address of each variable.
    addresses: BTreeMap<u32, u32>,
    /// Bytes of the static variables, rounded up for the dynamic ones after them.
    pub static_size: u64,
    /// Barriers with a count of threads in `asm` statements.
    pub counted: CountedBarriers,
}

impl SharedLayout {
    /// Static variables in order of declaration, each aligned as a variable of its type; the
    /// dynamic ones all start after them, aligned to 16.
    pub fn of(module: &Module, code: &Code, kernel: FunctionId) -> Self {
        let functions = reachable(code, kernel);
        let used = variables(code, &functions);
        let counted = counted(code, &functions);
        let mut layout = SharedLayout { counted, ..SharedLayout::default() };
        let mut end = 0u64;
        let is_dynamic = |id: &u32| module.shared.get(*id as usize).is_some_and(|v| v.dynamic);
        for &id in used.iter().filter(|id| !is_dynamic(id)) {
            let Some(variable) = module.shared.get(id as usize) else {
                continue;
            };
            let at = end.next_multiple_of(variable.ty.variable_align(&module.structs));
            end = at.saturating_add(variable.ty.size(&module.structs)).min(1 << 40);
            layout.addresses.insert(id, SHARED_BASE.wrapping_add(at as u32));
        }
        layout.static_size = end;
        let dynamic_start = end.next_multiple_of(16);
        for &id in used.iter().filter(|id| is_dynamic(id)) {
            let at = SHARED_BASE.wrapping_add(dynamic_start as u32);
            layout.addresses.insert(id, at);
            layout.static_size = dynamic_start;
        }
        layout
    }

    /// The name of the first dynamic variable.
    pub fn dynamic_variable<'m>(&self, module: &'m Module) -> Option<&'m str> {
        let variables = self.addresses.keys().filter_map(|&id| module.shared.get(id as usize));
        let mut dynamic = variables.filter(|variable| variable.dynamic);
        dynamic.next().map(|variable| variable.name.as_str())
    }

    /// The initial slots of all frames, with these addresses in them.
    pub fn templates(&self, code: &Code) -> Vec<u64> {
        let mut templates = code.templates.clone();
        for (entry, variable) in &code.shared {
            if let (Some(slot), Some(&address)) =
                (templates.get_mut(*entry), self.addresses.get(variable))
            {
                *slot = address as u64;
            }
        }
        templates
    }
}

/// The instructions of a function.
fn body(code: &Code, id: u32) -> &[Inst] {
    let start = code.functions.get(id as usize).map(|f| f.entry as usize);
    let end = code.functions.get(id as usize + 1).map(|f| f.entry as usize);
    start.and_then(|start| code.instructions.get(start..end?)).unwrap_or(&[])
}

/// The barriers with a count of threads in the `asm` statements of functions.
fn counted(code: &Code, functions: &BTreeSet<u32>) -> CountedBarriers {
    let instructions = functions.iter().flat_map(|&id| body(code, id));
    let statements = instructions.filter(|inst| inst.op == Op::Assembly);
    let sites = statements.filter_map(|inst| code.assemblies.get(inst.x as usize));
    sites.fold(CountedBarriers::default(), |all, site| all.and(site.counted))
}

/// The kernel and all functions it calls, directly or not.
fn reachable(code: &Code, kernel: FunctionId) -> BTreeSet<u32> {
    let mut found = BTreeSet::from([kernel.0]);
    let mut open = vec![kernel.0];
    while let Some(id) = open.pop() {
        for inst in body(code, id) {
            if inst.op == Op::Call && found.insert(inst.x) {
                open.push(inst.x);
            }
        }
    }
    found
}

fn variables(code: &Code, functions: &BTreeSet<u32>) -> BTreeSet<u32> {
    let ranges = functions.iter().filter_map(|&id| code.functions.get(id as usize));
    let ranges: Vec<_> = ranges.map(|f| f.template.clone()).collect();
    let uses = code.shared.iter();
    uses.filter(|(entry, _)| ranges.iter().any(|range| range.contains(entry)))
        .map(|&(_, variable)| variable)
        .collect()
}
