//! One program out of its two passes.
//!
//! A source that uses `__CUDA_ARCH__` is read and checked twice, as in nvcc: once from the host's
//! view and once from the device's. Host code is taken from the first pass, device code from the
//! second; a function of both sides becomes two. The passes name the same kernels, variables and
//! structures. If an entity that both sides use differs between them, the program is refused: in
//! CUDA such a program reads memory by the wrong layout.

use super::renumber::{self, Numbers};
use crate::check::tree::{
    Function, FunctionId, Global, GlobalId, GlobalSpace, Module, StringId, Struct, StructId, Type,
};
use crate::diagnostic::{Diagnostic, code};
use crate::syntax::source::Span;
use std::collections::{BTreeMap, BTreeSet};

/// A checked pass.
pub(crate) struct Pass {
    pub module: Module,
    /// The place of each structure's declaration in the module.
    pub structs: Vec<Option<Span>>,
    /// The structures of which host code has taken the size.
    pub sized: BTreeSet<usize>,
}

/// Puts the host's pass and the device's together.
///
/// # Errors
/// Every disagreement of the passes about something that both sides use.
pub(crate) fn link(host: Pass, device: Pass) -> Result<Module, Vec<Diagnostic>> {
    let structs = Structs::of(&host, &device);
    let mut linker = Linker {
        functions: function_places(&host.module.functions, &device.module.functions),
        globals: GlobalPlaces::of(&host.module.globals, &device.module.globals),
        strings: host.module.strings.len() as u32,
        structs,
        faults: Vec::new(),
    };
    linker.compare_structs(&host, &device);
    linker.compare_kernels(&host.module, &device.module);
    linker.compare_globals(&host.module, &device.module);
    let module = linker.join(host.module, device.module);
    if linker.faults.is_empty() { Ok(module) } else { Err(linker.faults) }
}

/// Returns true if the host runs a function.
fn is_of_host(function: &Function) -> bool {
    function.sides.host
}

/// Returns true if the device runs a function.
fn is_of_device(function: &Function) -> bool {
    function.sides.kernel || function.sides.device
}

/// For each of `theirs` the one of `ours` that is the same: of the same name and place, else the next of
/// the same name.
fn pair<'a>(
    ours: impl Iterator<Item = (usize, &'a str, Option<Span>)>,
    theirs: impl Iterator<Item = (usize, &'a str, Option<Span>)>,
) -> BTreeMap<usize, usize> {
    let mut places: BTreeMap<(&str, Option<Span>), usize> = BTreeMap::new();
    let mut names: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (index, name, span) in ours {
        places.entry((name, span)).or_insert(index);
        names.entry(name).or_default().push(index);
    }
    let mut pairs = BTreeMap::new();
    let mut taken = BTreeSet::new();
    let mut rest = Vec::new();
    for (index, name, span) in theirs {
        match places.get(&(name, span)) {
            Some(&our) if taken.insert(our) => {
                pairs.insert(index, our);
            }
            _ => rest.push((index, name)),
        }
    }
    for (index, name) in rest {
        let of_name = names.get(name).into_iter().flatten();
        if let Some(&our) = of_name.clone().find(|our| !taken.contains(our)) {
            taken.insert(our);
            pairs.insert(index, our);
        }
    }
    pairs
}

/// The structures of the device's pass.
struct Structs {
    /// The host's structure of the same name and place.
    pairs: BTreeMap<usize, usize>,
    /// The number in the linked program: the host's where they are the same.
    numbers: Vec<StructId>,
    /// The structures that are not the same as any of the host's.
    added: Vec<usize>,
}

impl Structs {
    fn of(host: &Pass, device: &Pass) -> Structs {
        fn named(pass: &Pass) -> impl Iterator<Item = (usize, &str, Option<Span>)> {
            // The number of an unnamed structure counts those before it, which may be others.
            let name = |one: &'_ Struct| one.name.starts_with("unnamed ");
            pass.module.structs.iter().zip(&pass.structs).enumerate().map(
                move |(index, (one, span))| {
                    (index, if name(one) { "unnamed" } else { one.name.as_str() }, *span)
                },
            )
        }
        let pairs = pair(named(host), named(device));
        let (ours, theirs) = (&host.module.structs, &device.module.structs);
        // Two structures are the same until a difference is found, in them or in their members.
        let mut same = pairs.clone();
        loop {
            let differs = |(&their, &our): (&usize, &usize)| {
                let agree = |one: &Type, other: &Type| same_type(one, other, &same);
                !same_layout(&ours[our], &theirs[their], agree)
            };
            let different: Vec<usize> =
                same.iter().filter(|&pair| differs(pair)).map(|(&their, _)| their).collect();
            if different.is_empty() {
                break;
            }
            different.iter().for_each(|their| {
                same.remove(their);
            });
        }
        let added: Vec<usize> =
            (0..theirs.len()).filter(|their| !same.contains_key(their)).collect();
        let number = |their: usize| match same.get(&their) {
            Some(&our) => our,
            None => ours.len() + added.partition_point(|&other| other < their),
        };
        let numbers = (0..theirs.len()).map(|their| StructId(number(their) as u32)).collect();
        Structs { pairs, numbers, added }
    }
}

/// Returns true if members are the same and in the same places.
fn same_layout(one: &Struct, other: &Struct, agree: impl Fn(&Type, &Type) -> bool) -> bool {
    let members = one.fields.iter().zip(&other.fields);
    (one.size, one.align, one.is_union) == (other.size, other.align, other.is_union)
        && one.fields.len() == other.fields.len()
        && members.into_iter().all(|(one, other)| {
            one.name == other.name && one.offset == other.offset && agree(&one.ty, &other.ty)
        })
}

/// Returns true if a type of the host's pass and one of the device's are the same, with these
/// structures.
fn same_type(host: &Type, device: &Type, structs: &BTreeMap<usize, usize>) -> bool {
    match (host, device) {
        (Type::Struct(host), Type::Struct(device)) => {
            structs.get(&(device.0 as usize)) == Some(&(host.0 as usize))
        }
        (Type::Pointer(host), Type::Pointer(device)) => same_type(host, device, structs),
        (Type::Array(host, one), Type::Array(device, other)) => {
            one == other && same_type(host, device, structs)
        }
        _ => host == device,
    }
}

/// The new places of the device pass's functions: in place of the host's declaration, or after all
/// of the host's. `None`: only the host runs it.
fn function_places(host: &[Function], device: &[Function]) -> Vec<Option<FunctionId>> {
    fn alone(all: &[Function]) -> impl Iterator<Item = (usize, &str, Option<Span>)> {
        let of_device = |(_, one): &(usize, &Function)| is_of_device(one) && !is_of_host(one);
        let all = all.iter().enumerate().filter(of_device);
        all.map(|(index, one)| (index, one.name.as_str(), Some(one.span)))
    }
    let pairs = pair(alone(host), alone(device));
    let mut end = host.len();
    let place = |(index, function): (usize, &Function)| {
        let at = pairs.get(&index).copied().or_else(|| {
            let added = is_of_device(function);
            end += usize::from(added);
            added.then(|| end - 1)
        })?;
        Some(FunctionId(at as u32))
    };
    device.iter().enumerate().map(place).collect()
}

/// The new places of variables: the host's own, then those of the device in its pass.
struct GlobalPlaces {
    host: Vec<Option<GlobalId>>,
    device: Vec<Option<GlobalId>>,
    /// Variables of the device, by their index in its pass, with those of the host's pass.
    pairs: BTreeMap<usize, usize>,
}

impl GlobalPlaces {
    fn of(host: &[Global], device: &[Global]) -> GlobalPlaces {
        fn on_device(all: &[Global]) -> impl Iterator<Item = (usize, &str, Option<Span>)> {
            let all = all.iter().enumerate().filter(|(_, one)| one.space != GlobalSpace::Host);
            all.map(|(index, one)| (index, one.name.as_str(), Some(one.span)))
        }
        let pairs = pair(on_device(host), on_device(device));
        let mut end = 0;
        let mut next = |wanted: bool| {
            end += u32::from(wanted);
            wanted.then(|| GlobalId(end - 1))
        };
        let is_host = |global: &Global| global.space == GlobalSpace::Host;
        let mut ours: Vec<_> = host.iter().map(|global| next(is_host(global))).collect();
        let theirs: Vec<_> = device.iter().map(|global| next(!is_host(global))).collect();
        for (&their, &our) in &pairs {
            ours[our] = theirs[their];
        }
        GlobalPlaces { host: ours, device: theirs, pairs }
    }
}

struct Linker {
    structs: Structs,
    functions: Vec<Option<FunctionId>>,
    globals: GlobalPlaces,
    /// The number of strings in the host's pass.
    strings: u32,
    faults: Vec<Diagnostic>,
}

/// The entities that a side uses.
#[derive(Default)]
struct Uses {
    structs: BTreeSet<usize>,
    functions: BTreeSet<usize>,
    globals: BTreeSet<usize>,
}

impl Numbers for Uses {
    fn structure(&mut self, id: &mut StructId) {
        self.structs.insert(id.0 as usize);
    }

    fn function(&mut self, id: &mut FunctionId) {
        self.functions.insert(id.0 as usize);
    }

    fn global(&mut self, id: &mut GlobalId) {
        self.globals.insert(id.0 as usize);
    }
}

/// The entities that the functions and variables of one side use.
fn uses(module: &Module, of_side: impl Fn(&Function) -> bool, host: bool) -> Uses {
    let mut found = Uses::default();
    for function in module.functions.iter().filter(|function| of_side(function)) {
        renumber::in_function(&mut function.clone(), &mut found);
    }
    let on_host = |global: &&Global| (global.space == GlobalSpace::Host) == host;
    for global in module.globals.iter().filter(on_host) {
        renumber::in_global(&mut global.clone(), &mut found);
    }
    found
}

impl Linker {
    fn fault(&mut self, span: Span, message: String, other: Option<Span>) {
        let mut found = Diagnostic::error(code::PASSES_DISAGREE, span, message);
        found = match other.filter(|&other| other != span) {
            Some(other) => {
                found.label("in the device's pass").secondary(other, "in the host's pass")
            }
            None => found,
        };
        self.faults.push(found.help("let nothing that both sides use depend on `__CUDA_ARCH__`"));
    }

    /// Refuses structures that both sides use and that lie differently in memory.
    fn compare_structs(&mut self, host: &Pass, device: &Pass) {
        let mut ours = uses(&host.module, is_of_host, true).structs;
        ours.extend(&host.sized);
        let theirs = uses(&device.module, is_of_device, false).structs;
        let pairs = self.structs.pairs.clone();
        let used = pairs.iter().filter(|(their, our)| theirs.contains(their) && ours.contains(our));
        for (&their, &our) in used {
            let (one, other) = (&host.module.structs[our], &device.module.structs[their]);
            // A difference further inside is reported for the inner entity.
            if same_layout(one, other, |one, other| same_type(one, other, &pairs)) {
                continue;
            }
            let message = format!(
                "`{}` has {} bytes in host code and {} in device code, or other members",
                other.name, one.size, other.size
            );
            let start = Span::new(crate::syntax::FileId(0), 0, 0);
            let span = device.structs[their].or(host.structs[our]).unwrap_or(start);
            self.fault(span, message, host.structs[our]);
        }
    }

    /// Refuses launches of kernels that the device's pass does not have, or has with other parameters.
    fn compare_kernels(&mut self, host: &Module, device: &Module) {
        let launched = uses(host, is_of_host, true).functions;
        let kernels = launched.iter().filter(|&&index| host.functions[index].sides.kernel);
        for &index in kernels {
            let ours = &host.functions[index];
            let place = Some(FunctionId(index as u32));
            let Some(their) = self.functions.iter().position(|&at| at == place) else {
                let message = format!("the kernel `{}` is not there in device code", ours.name);
                self.fault(ours.span, message, None);
                continue;
            };
            let theirs = &device.functions[their];
            let parameters =
                |function: &Function| function.locals[..function.parameters as usize].to_vec();
            let (one, other) = (parameters(ours), parameters(theirs));
            let agree = one.len() == other.len()
                && one
                    .iter()
                    .zip(&other)
                    .all(|(one, other)| same_type(&one.ty, &other.ty, &self.structs.pairs));
            if !agree && !theirs.body.is_empty() {
                let message =
                    format!("the kernel `{}` has other parameters in device code", ours.name);
                self.fault(theirs.span, message, Some(ours.span));
            }
        }
    }

    /// Refuses variables of the device that the host uses otherwise than its pass has them.
    fn compare_globals(&mut self, host: &Module, device: &Module) {
        for index in uses(host, is_of_host, true).globals {
            let ours = &host.globals[index];
            let paired = self.globals.pairs.iter().find(|&(_, &our)| our == index);
            match paired.map(|(&their, _)| &device.globals[their]) {
                _ if ours.space == GlobalSpace::Host => {}
                None => {
                    let message =
                        format!("the variable `{}` is not there in device code", ours.name);
                    self.fault(ours.span, message, None);
                }
                Some(theirs) => {
                    let agree = same_type(&ours.ty, &theirs.ty, &self.structs.pairs)
                        && (ours.space, ours.managed) == (theirs.space, theirs.managed);
                    if !agree {
                        let message =
                            format!("the variable `{}` is another one in device code", ours.name);
                        self.fault(theirs.span, message, Some(ours.span));
                    }
                }
            }
        }
    }

    /// The linked program.
    fn join(&mut self, mut host: Module, mut device: Module) -> Module {
        for (function, place) in device.functions.iter_mut().zip(&self.functions) {
            if place.is_some() {
                renumber::in_function(function, &mut OfDevice(self));
            }
        }
        for global in &mut device.globals {
            renumber::in_global(global, &mut OfDevice(self));
        }
        for shared in &mut device.shared {
            renumber::in_type(&mut shared.ty, &mut OfDevice(self));
        }
        let mut added = std::mem::take(&mut device.structs);
        for structure in &mut added {
            for field in &mut structure.fields {
                renumber::in_type(&mut field.ty, &mut OfDevice(self));
            }
        }
        host.structs.extend(self.structs.added.iter().map(|&index| added[index].clone()));
        for function in &mut host.functions {
            // Code that only the device runs has the form of the host's pass here, until it is
            // replaced.
            if is_of_device(function) && !is_of_host(function) {
                function.body.clear();
                function.locals.clear();
                function.parameters = 0;
            }
            renumber::in_function(function, &mut OfHost(&self.globals.host));
            function.sides.device = false;
            function.sides.kernel = false;
            function.sides.host = true;
        }
        for (mut function, place) in device.functions.into_iter().zip(&self.functions) {
            let Some(at) = place else {
                continue;
            };
            function.sides.host = false;
            match host.functions.get_mut(at.0 as usize) {
                Some(place) => *place = function,
                None => host.functions.push(function),
            }
        }
        let of_host = |global: &Global| global.space == GlobalSpace::Host;
        host.globals.retain(of_host);
        for global in &mut host.globals {
            renumber::in_global(global, &mut OfHost(&self.globals.host));
        }
        host.globals.extend(device.globals.into_iter().filter(|global| !of_host(global)));
        host.strings.extend(device.strings);
        host.shared = device.shared;
        host
    }
}

/// Numbers of the device's pass become those of the linked program.
struct OfDevice<'a>(&'a Linker);

impl Numbers for OfDevice<'_> {
    fn structure(&mut self, id: &mut StructId) {
        *id = self.0.structs.numbers[id.0 as usize];
    }

    fn function(&mut self, id: &mut FunctionId) {
        // Device code calls functions that the device runs; the calls of a host function are not
        // examined.
        if let Some(Some(place)) = self.0.functions.get(id.0 as usize) {
            *id = *place;
        }
    }

    fn global(&mut self, id: &mut GlobalId) {
        if let Some(Some(place)) = self.0.globals.device.get(id.0 as usize) {
            *id = *place;
        }
    }

    fn string(&mut self, id: &mut StringId) {
        id.0 += self.0.strings;
    }
}

/// Variables of the host's pass become those of the linked program.
struct OfHost<'a>(&'a [Option<GlobalId>]);

impl Numbers for OfHost<'_> {
    fn global(&mut self, id: &mut GlobalId) {
        // One that has no place was reported.
        if let Some(Some(place)) = self.0.get(id.0 as usize) {
            *id = *place;
        }
    }
}
