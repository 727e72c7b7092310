//! Collects from the checked tree of a function the facts that lowering needs from the start.

use crate::analysis::Launches;
use crate::check::tree::{
    Expr, ExprKind, Function, FunctionId, Init, LabelId, LocalId, Module, Place, PlaceKind,
    SharedId, Stmt, StmtKind,
};
use crate::check::tree_walk::{expr_parts, place_parts, statement_parts};
use reconverge_ptx::barrier::CountedBarriers;
use std::collections::{BTreeMap, BTreeSet};

/// The names in a function's body.
#[derive(Default)]
struct Mentions<'t> {
    shared: BTreeSet<SharedId>,
    /// Barriers with a count of threads.
    counted: CountedBarriers,
    called: BTreeSet<FunctionId>,
    addressed: BTreeSet<LocalId>,
    /// Local variables that are set, or parts of which are, where they are not declared.
    assigned: BTreeSet<LocalId>,
    declared: BTreeMap<LocalId, &'t Init>,
    /// Kernels with the blocks that they are launched with.
    launches: Vec<(FunctionId, &'t Expr)>,
}

/// The local variables to which (or to a part of which) `&` or array decay is applied.
pub fn addressed_locals(function: &Function) -> BTreeSet<LocalId> {
    mentions(function).addressed
}

/// The shared variables that a kernel and the functions it calls mention, and their barriers with a count of threads.
pub fn reachable_shared(
    module: &Module,
    kernel: FunctionId,
) -> (BTreeSet<SharedId>, CountedBarriers) {
    let mut shared = BTreeSet::new();
    let mut counted = CountedBarriers::default();
    let mut seen = BTreeSet::from([kernel]);
    let mut pending = vec![kernel];
    while let Some(function) = pending.pop() {
        let found = mentions(module.function(function));
        shared.extend(found.shared);
        counted = counted.and(found.counted);
        pending.extend(found.called.into_iter().filter(|&called| seen.insert(called)));
    }
    (shared, counted)
}

/// The kernels that the program launches, with the properties that these launches share.
pub fn launches(module: &Module) -> BTreeMap<FunctionId, Launches> {
    let mut found: BTreeMap<FunctionId, Launches> = BTreeMap::new();
    for function in &module.functions {
        let mentioned = mentions(function);
        for &(kernel, block) in &mentioned.launches {
            let launch = Launches::of_block(mentioned.extents(block));
            let all = found.entry(kernel).or_insert(launch);
            *all = all.or(&launch);
        }
    }
    found
}

/// The label of every `goto` in a function.
pub fn jumps(function: &Function) -> Vec<LabelId> {
    let mut found = Vec::new();
    each(&function.body, &mut |statement| {
        if let StmtKind::Goto(label) = statement.kind {
            found.push(label);
        }
    });
    found
}

/// The local variables whose declarations control may pass by: those in a `switch`, and all when
/// there is a `goto`.
pub fn jumped_over(function: &Function) -> BTreeSet<LocalId> {
    let mut found = BTreeSet::new();
    let mut declared = |statement: &Stmt| {
        if let StmtKind::Declare(local, _) = statement.kind {
            found.insert(local);
        }
    };
    if !jumps(function).is_empty() {
        each(&function.body, &mut declared);
        return found;
    }
    each(&function.body, &mut |statement| {
        if let StmtKind::Switch { body, .. } = &statement.kind {
            each(std::slice::from_ref(body), &mut declared);
        }
    });
    found
}

/// Shows every statement, those inside of others too.
fn each(statements: &[Stmt], show: &mut dyn FnMut(&Stmt)) {
    for statement in statements {
        show(statement);
        match &statement.kind {
            StmtKind::Block(inner) => each(inner, show),
            StmtKind::If(_, then, otherwise) => {
                each(std::slice::from_ref(then), show);
                otherwise.iter().for_each(|other| each(std::slice::from_ref(other), show));
            }
            StmtKind::For { init, body, .. } => {
                init.iter().for_each(|init| each(std::slice::from_ref(init), show));
                each(std::slice::from_ref(body), show);
            }
            StmtKind::While(_, body)
            | StmtKind::DoWhile(body, _)
            | StmtKind::Switch { body, .. } => {
                each(std::slice::from_ref(body), show);
            }
            _ => {}
        }
    }
}

fn mentions(function: &Function) -> Mentions<'_> {
    let mut found = Mentions::default();
    function.body.iter().for_each(|statement| found.statement(statement));
    found
}

impl<'t> Mentions<'t> {
    /// The extents of a block that are known: it is made where it is read, or in the declaration of a
    /// variable that nothing changes.
    fn extents(&self, block: &Expr) -> [Option<u32>; 3] {
        match &block.kind {
            ExprKind::Construct(extents) => [0, 1, 2].map(|axis| {
                let extent = u32::try_from(constant(extents.get(axis)?)?).ok()?;
                Some(extent).filter(|&extent| extent != 0)
            }),
            ExprKind::Load(Place { kind: PlaceKind::Local(local), .. }) => {
                let changes = self.assigned.contains(local) || self.addressed.contains(local);
                let init = self.declared.get(local).filter(|_| !changes);
                init.map_or([None; 3], |init| match init.stores.as_slice() {
                    [(0, made)] => self.extents(made),
                    _ => [None; 3],
                })
            }
            _ => [None; 3],
        }
    }

    fn statement(&mut self, statement: &'t Stmt) {
        if let StmtKind::Declare(local, init) = &statement.kind {
            self.declared.insert(*local, init);
        }
        if let StmtKind::Assembly(of) = &statement.kind {
            self.counted = self.counted.and(of.text.counted());
        }
        statement_parts!(self, &statement.kind);
    }

    fn init(&mut self, init: &'t Init) {
        init.stores.iter().for_each(|(_, value)| self.expr(value));
    }

    fn expr(&mut self, value: &'t Expr) {
        match &value.kind {
            ExprKind::AddressOf(place) => self.addressed.extend(root(place)),
            ExprKind::Assign(place, _)
            | ExprKind::AssignOp { place, .. }
            | ExprKind::AssignPointerAdd { place, .. }
            | ExprKind::Increment { place, .. } => self.assigned.extend(root(place)),
            ExprKind::Call(function, _) => _ = self.called.insert(*function),
            ExprKind::Launch(launch) => self.launches.push((launch.kernel, &launch.block)),
            _ => {}
        }
        expr_parts!(self, &value.kind);
    }

    fn place(&mut self, place: &'t Place) {
        if let PlaceKind::Shared(shared) = place.kind {
            self.shared.insert(shared);
        }
        place_parts!(self, &place.kind);
    }
}

/// The number that an expression is, as it is written.
fn constant(value: &Expr) -> Option<i64> {
    match &value.kind {
        ExprKind::Int(number) => Some(*number),
        ExprKind::Convert(of) => constant(of),
        _ => None,
    }
}

/// The local variable that a place is a part of.
fn root(place: &Place) -> Option<LocalId> {
    match &place.kind {
        PlaceKind::Local(local) => Some(*local),
        PlaceKind::Field(base, _) => root(base),
        _ => None,
    }
}
