//! The meanings of names, and their scopes.

use crate::check::expr::constant::Const;
use crate::check::tree::{GlobalId, LocalId, SharedId, StructId};
use crate::check::types::{CType, Enumeration, QType};
use crate::syntax::source::Span;
use crate::syntax::tree::Name;
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// The storage of a variable.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Storage {
    Local(LocalId),
    Global(GlobalId),
    Shared(SharedId),
    /// In a lambda: the member of its object of this number, whose value is the address of the variable if the
    /// variable is captured by reference.
    Captured(usize, bool),
    /// In a lambda: a variable of the function around that it does not capture.
    Uncaptured,
    /// In the functions of a structure that a function defines: a variable of that function.
    OfFunctionAround,
}

/// A variable or parameter.
#[derive(Debug)]
pub(crate) struct Variable {
    pub name: Name,
    /// For a reference: the type that it refers to.
    pub ty: QType,
    pub storage: Storage,
    /// True if the object holds the address of the named entity.
    pub reference: bool,
    /// True if it is declared as a reference to rvalues.
    pub is_rvalue: bool,
    /// The value, if it is known while compiling.
    pub constant: Option<Const>,
    pub span: Span,
    /// The number of times that it is named.
    pub uses: Cell<u32>,
    /// The number of times that it is only named to be set.
    pub sets: Cell<u32>,
    pub role: Role,
}

impl Variable {
    /// Returns true if each call of its function has one of its own.
    pub fn is_of_call(&self) -> bool {
        use Storage::*;
        matches!(self.storage, Local(_) | Captured(..) | Uncaptured | OfFunctionAround)
    }
}

/// The role of a variable in warnings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    Parameter,
    Local,
    /// Nothing is to be said when it is never used.
    Quiet,
}

/// The meaning of a name.
#[derive(Clone, Debug)]
pub(crate) enum Symbol {
    /// Something that was reported: nothing can be said of its uses.
    Poisoned,
    Type(QType),
    Enumerator(i64, CType),
    Functions(Rc<Overloads>),
    /// A class template, or one that makes another name for a type.
    TypeTemplate(usize),
    VariableTemplate(usize),
    Variable(Rc<Variable>),
}

/// The functions and function templates of one name.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Overloads {
    pub functions: Vec<usize>,
    pub templates: Vec<usize>,
}

/// The meaning of a tag.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Tag {
    Poisoned,
    Struct(StructId),
    Enum(Enumeration),
}

#[derive(Clone, Debug)]
pub(crate) struct Entry<T> {
    pub meaning: T,
    pub span: Option<Span>,
    /// The number of the item at file scope that declares it.
    order: usize,
}

/// The names that something between braces declares.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scope {
    names: BTreeMap<Name, Entry<Symbol>>,
    tags: BTreeMap<Name, Entry<Tag>>,
    /// The namespaces that `using namespace` opens in a block.
    opened: Vec<Name>,
}

/// A namespace that another one opens with `using namespace`, or holds as an `inline` one.
#[derive(Debug)]
struct Opened {
    /// The namespace that opens it; empty for the outermost one.
    within: Name,
    path: Name,
    is_inline: bool,
    /// The number of the item that does.
    order: usize,
}

/// The scopes that are open.
#[derive(Debug, Default)]
pub(crate) struct Scopes {
    /// The entities outside functions, by names with their namespaces and structures.
    file: Scope,
    blocks: Vec<Scope>,
    /// The namespaces and structures around, outermost first, each with its whole name.
    paths: Vec<Name>,
    /// The number of blocks that were open when the members of a structure began: they are not the
    /// block's.
    members_in: Option<usize>,
    /// The namespaces that are opened outside of blocks.
    opened: Vec<Opened>,
    /// All namespaces that were opened, by their whole names.
    namespaces: BTreeSet<Name>,
    /// The number of the current item at file scope; bodies are checked after all declarations, but
    /// see only those before them.
    order: usize,
    /// The number of templates that led to the current item.
    depth: u32,
    /// The items that the body being checked names: kept where the compiler verifies itself.
    named: RefCell<BTreeSet<usize>>,
}

/// The scope of a declaration, for looking up names there again.
#[derive(Clone, Debug, Default)]
pub(crate) struct Context {
    paths: Vec<Name>,
    /// The parameters of the templates around, with their arguments.
    bindings: Vec<Scope>,
    order: usize,
    /// The number of templates that led to this one.
    depth: u32,
}

impl Context {
    /// The context inside something that a template makes, which others may have led to.
    pub fn deeper(mut self, depth: u32) -> Context {
        self.depth = depth + 1;
        self
    }

    /// The context inside a template whose arguments `bindings` names.
    pub fn with(mut self, bindings: Scope) -> Context {
        self.bindings.push(bindings);
        self
    }

    /// The context inside a lambda: the variables of the functions around are captured, or not there.
    pub fn in_lambda(mut self, captured: Scope) -> Context {
        self.lose_variables(Storage::Uncaptured);
        self.bindings.push(captured);
        self
    }

    /// The context inside a structure that a function defines: its members hide the same names
    /// around it, and the variables of the function are not visible (C++17, [class.local]).
    pub fn in_local_structure<'a>(mut self, members: impl Iterator<Item = &'a Name>) -> Context {
        for name in members {
            self.bindings.iter_mut().for_each(|scope| drop(scope.names.remove(name)));
        }
        self.lose_variables(Storage::OfFunctionAround);
        self
    }

    /// The variables of the functions around cannot be used.
    fn lose_variables(&mut self, storage: Storage) {
        for scope in &mut self.bindings {
            for entry in scope.names.values_mut() {
                if let Symbol::Variable(variable) = &entry.meaning
                    && variable.is_of_call()
                {
                    if variable.constant.is_some() {
                        // Its value may still be used.
                        variable.uses.set(variable.uses.get() + 1);
                    }
                    entry.meaning = Symbol::Variable(Rc::new(Variable {
                        name: variable.name.clone(),
                        ty: variable.ty.clone(),
                        storage,
                        reference: false,
                        is_rvalue: false,
                        constant: variable.constant.filter(|_| !variable.reference),
                        span: variable.span,
                        uses: Cell::new(1),
                        sets: Cell::new(0),
                        role: Role::Quiet,
                    }));
                }
            }
        }
    }

    /// The context inside a structure.
    pub fn inside(mut self, path: Name) -> Context {
        self.paths.push(path);
        self
    }
}

/// The state that is saved while names are looked up in another context.
pub(crate) struct Aside {
    blocks: Vec<Scope>,
    paths: Vec<Name>,
    members_in: Option<usize>,
    order: usize,
    depth: u32,
}

impl Scope {
    /// Gives a parameter of a template its argument.
    pub fn bind(&mut self, name: Name, meaning: Symbol) {
        self.names.insert(name, Entry { meaning, span: None, order: 0 });
    }
}

impl Scopes {
    /// `using namespace`: until the block or namespace around ends, the names of another one can be used as if
    /// they stood in the nearest namespace around both (C++17, [namespace.udir]).
    pub fn use_namespace(&mut self, name: &str) {
        let Some(path) = self.nearest(name, |name| self.namespaces.get(name).cloned()) else {
            return;
        };
        match self.blocks.last_mut() {
            Some(block) => block.opened.push(path),
            None => self.note_opened(path, false),
        }
    }

    /// `inline namespace`: its names are names of the namespace around, too.
    pub fn inline_namespace(&mut self, name: &Name) {
        let path = self.qualify(name);
        self.namespaces.insert(path.clone());
        self.note_opened(path, true);
    }

    fn note_opened(&mut self, path: Name, is_inline: bool) {
        let within = self.paths.last().cloned().unwrap_or_else(|| "".into());
        if !self.opened.iter().any(|known| known.within == within && known.path == path) {
            self.opened.push(Opened { within, path, is_inline, order: self.order });
        }
    }

    /// Adds to namespaces those that are merged with them: inline ones, and those around these.
    pub fn add_inline(&self, spaces: &mut BTreeSet<String>) {
        loop {
            let before = spaces.len();
            for opened in self.opened.iter().filter(|opened| opened.is_inline) {
                let both = [&opened.within, &opened.path];
                if both.iter().any(|space| spaces.contains(&***space)) {
                    spaces.extend(both.map(|space| space.to_string()));
                }
            }
            if spaces.len() == before {
                return;
            }
        }
    }

    /// The next item at file scope begins: its number.
    pub fn begin_item(&mut self) -> usize {
        self.order += 1;
        self.order
    }

    /// Opens a namespace inside those that are open: `a::b` opens two.
    pub fn open_namespace(&mut self, name: &str) {
        for part in name.split("::") {
            let path = self.qualify(&part.into());
            self.namespaces.insert(path.clone());
            self.paths.push(path);
        }
    }

    /// The innermost namespace around a whole name; empty for the outermost one.
    pub fn namespace_around<'a>(&self, whole: &'a str) -> &'a str {
        let mut path = whole;
        while let Some(outer) = owner_of(path) {
            if self.namespaces.contains(outer) {
                return outer;
            }
            path = outer;
        }
        ""
    }

    /// Closes the innermost namespace, which was opened by this name.
    pub fn close_namespace(&mut self, name: &str) {
        name.split("::").for_each(|_| drop(self.paths.pop()));
    }

    /// Returns true outside of all namespaces and structures.
    pub fn is_outermost(&self) -> bool {
        self.paths.is_empty()
    }

    /// The number of the item at file scope that is being checked.
    pub fn order(&self) -> usize {
        self.order
    }

    /// The number of the last item whose functions are found by the types of arguments: a
    /// template's instance finds those that are declared after the template too (C++17,
    /// [temp.dep.candidate]).
    pub fn last_associated(&self) -> usize {
        if self.depth > 0 { usize::MAX } else { self.order }
    }

    /// The number of templates that led to the current item.
    pub fn depth(&self) -> u32 {
        self.depth
    }

    /// Opens a block.
    pub fn open_block(&mut self) {
        self.blocks.push(Scope::default());
    }

    /// Closes the innermost block: the variables it declares, by name.
    pub fn close_block(&mut self) -> Vec<Rc<Variable>> {
        let names = self.blocks.pop().map(|scope| scope.names).unwrap_or_default();
        let variable = |entry: Entry<Symbol>| match entry.meaning {
            Symbol::Variable(variable) => Some(variable),
            _ => None,
        };
        names.into_values().filter_map(variable).collect()
    }

    fn is_outside_blocks(&self) -> bool {
        self.blocks.is_empty() || self.members_in == Some(self.blocks.len())
    }

    /// Returns true if a declaration here is a member of a structure.
    pub fn is_among_members(&self) -> bool {
        self.members_in == Some(self.blocks.len())
    }

    /// `name` with the namespaces and structures around.
    pub fn qualify(&self, name: &Name) -> Name {
        match self.paths.last() {
            Some(path) => format!("{path}::{name}").into(),
            None => name.clone(),
        }
    }

    /// The key of `name` in the innermost scope, and that scope.
    fn place(&mut self, name: &Name) -> (Name, &mut Scope) {
        if self.is_outside_blocks() {
            return (self.qualify(name), &mut self.file);
        }
        (name.clone(), self.blocks.last_mut().unwrap_or(&mut self.file))
    }

    /// The namespaces whose names can be used here without their path, each after the one that
    /// these seem to belong to.
    fn opened_here(&self) -> Vec<(&str, &str)> {
        let here = self.paths.last().map_or("", |path| path);
        let of_blocks = self.blocks.iter().flat_map(|block| &block.opened);
        let mut found: Vec<_> = of_blocks.map(|path| (common(here, path), &**path)).collect();
        let visible = |opened: &&Opened| opened.order <= self.order;
        for opened in self.opened.iter().filter(visible) {
            if opened.within.is_empty() || self.paths.contains(&opened.within) {
                found.push((common(&opened.within, &opened.path), &opened.path));
            }
        }
        // The namespaces that these open themselves.
        let mut at = 0;
        while let Some(&(beside, path)) = found.get(at) {
            for next in self.opened.iter().filter(visible).filter(|next| *next.within == *path) {
                let next = (common(beside, &next.path), &*next.path);
                if !found.contains(&next) {
                    found.push(next);
                }
            }
            at += 1;
        }
        found
    }

    /// The whole names that `name` may be short for outside of blocks: those of each namespace
    /// around, with those that seem to belong to it, the innermost first.
    fn levels(&self, name: &str) -> Vec<Vec<String>> {
        // `::a` is that of the outermost namespace.
        if let Some(outermost) = name.strip_prefix("::") {
            let (owner, last) = outermost.rsplit_once("::").unwrap_or(("", outermost));
            return vec![self.members(owner, last)];
        }
        let opened = self.opened_here();
        let around = self.paths.iter().rev().map(|path| &**path);
        let level = |path: &str| {
            let beside = opened.iter().filter(|(beside, _)| *beside == path);
            let spaces = std::iter::once(path).chain(beside.map(|(_, opened)| *opened));
            spaces.flat_map(|space| self.inside(space, name)).collect()
        };
        around.chain(std::iter::once("")).map(level).collect()
    }

    /// The whole names that `name` may be short for in a namespace: `a::b` may mean a name of a
    /// namespace that `a` opens.
    fn inside(&self, space: &str, name: &str) -> Vec<String> {
        match name.rsplit_once("::") {
            Some((owner, last)) => self.members(&within(space, owner), last),
            None => vec![within(space, name)],
        }
    }

    /// The whole names of `name` in a namespace or in those that it opens.
    fn members(&self, space: &str, name: &str) -> Vec<String> {
        let mut spaces = vec![space];
        let mut at = 0;
        while let Some(&space) = spaces.get(at) {
            for opened in self.opened.iter().filter(|opened| *opened.within == *space) {
                if !spaces.contains(&&*opened.path) {
                    spaces.push(&opened.path);
                }
            }
            at += 1;
        }
        spaces.into_iter().map(|space| within(space, name)).collect()
    }

    /// The entity found under the whole names that `name` may be short for outside of blocks,
    /// nearest first.
    fn nearest<T>(&self, name: &str, found: impl Fn(&str) -> Option<T>) -> Option<T> {
        if self.is_whole(name) {
            return found(name);
        }
        self.levels(name).iter().flatten().find_map(|name| found(name))
    }

    /// All results in the nearest namespace that has any, itself or in those that seem to belong to
    /// it.
    fn nearest_all<T>(&self, name: &str, found: impl Fn(&String) -> Option<T>) -> Vec<T> {
        let levels = self.levels(name);
        let mut all = levels.iter().map(|level| level.iter().filter_map(&found).collect());
        all.find(|found: &Vec<T>| !found.is_empty()).unwrap_or_default()
    }

    /// Returns true if a name is a whole one outside of blocks.
    fn is_whole(&self, name: &str) -> bool {
        self.paths.is_empty()
            && self.opened.is_empty()
            && !name.starts_with("::")
            && self.blocks.iter().all(|block| block.opened.is_empty())
    }

    fn find_outside<'a, T>(
        &'a self,
        name: &str,
        pick: impl Fn(&'a Scope, &str) -> Option<&'a Entry<T>>,
    ) -> Option<&'a Entry<T>> {
        let visible = |entry: &&Entry<T>| entry.order <= self.order;
        self.nearest(name, |name| pick(&self.file, name).filter(visible))
    }

    /// The functions that `name` means besides those that [`find`](Scopes::find) finds, in
    /// namespaces that are open.
    pub fn functions_beside(&self, name: &str) -> Vec<Rc<Overloads>> {
        if self.is_whole(name) {
            return Vec::new();
        }
        let functions = |name: &String| match self.file.names.get(name.as_str()) {
            Some(Entry { meaning: Symbol::Functions(list), order, .. }) if *order <= self.order => {
                Some(list.clone())
            }
            _ => None,
        };
        self.nearest_all(name, functions)
    }

    /// Records that the current item names another. Functions have faults of their own.
    fn note_named(&self, order: usize, is_function_or_faulty: bool) {
        if cfg!(debug_assertions) && !is_function_or_faulty {
            self.named.borrow_mut().insert(order);
        }
    }

    /// Forgets which items were named, for others; which they were.
    pub fn replace_named(&self, others: BTreeSet<usize>) -> BTreeSet<usize> {
        self.named.replace(others)
    }

    /// The meaning of `name` in the blocks around.
    pub fn find_in_blocks<'a>(&'a self, name: &str) -> Option<&'a Entry<Symbol>> {
        self.blocks.iter().rev().find_map(|scope| scope.names.get(name))
    }

    /// The meaning of `name` in the blocks around the innermost one, down to the one of number
    /// `base`.
    pub fn find_around(&self, name: &str, base: usize) -> Option<&Entry<Symbol>> {
        let (_, around) = self.blocks.get(base..)?.split_last()?;
        around.iter().rev().find_map(|scope| scope.names.get(name))
    }

    /// The number of open blocks.
    pub fn depth_of_blocks(&self) -> usize {
        self.blocks.len()
    }

    /// The meaning of `name` here.
    pub fn find<'a>(&'a self, name: &str) -> Option<&'a Entry<Symbol>> {
        if let Some(inner) = self.find_in_blocks(name) {
            return Some(inner);
        }
        let found = self.find_outside(name, |scope, name| scope.names.get(name))?;
        let other = matches!(found.meaning, Symbol::Functions(_) | Symbol::Poisoned);
        self.note_named(found.order, other);
        Some(found)
    }

    /// Two entities that `name` means alike, since namespaces are open that have one each: their
    /// whole names, and the places of their declarations.
    pub fn rivals(&self, name: &str) -> Option<[(String, Span); 2]> {
        if self.is_whole(name) || self.find_in_blocks(name).is_some() {
            return None;
        }
        let entry = |name: &String| {
            let entry = self.file.names.get(name.as_str())?;
            (entry.order <= self.order).then(|| (name.clone(), entry))
        };
        let found = self.nearest_all(name, entry);
        let ((one, first), others) = found.split_first()?;
        let is_function = matches!(first.meaning, Symbol::Functions(_));
        let (other, second) =
            others.iter().find(|(_, other)| !is_function && other.span != first.span)?;
        Some([(one.clone(), first.span?), (other.clone(), second.span?)])
    }

    /// The meaning of `name` outside of blocks, even if it is declared later.
    pub fn find_in_file(&self, name: &str) -> Option<&Entry<Symbol>> {
        self.nearest(name, |name| self.file.names.get(name))
    }

    /// The meaning of the whole name.
    pub fn find_whole(&self, name: &str) -> Option<&Entry<Symbol>> {
        self.file.names.get(name)
    }

    /// The meaning of the tag `name` here.
    pub fn find_tag(&self, name: &str) -> Option<Tag> {
        let inner = self.blocks.iter().rev().find_map(|scope| scope.tags.get(name));
        if let Some(inner) = inner {
            return Some(inner.meaning);
        }
        let found = self.find_outside(name, |scope, name| scope.tags.get(name))?;
        self.note_named(found.order, matches!(found.meaning, Tag::Poisoned));
        Some(found.meaning)
    }

    /// The meaning of the tag `name` in the innermost scope.
    pub fn find_own_tag(&mut self, name: &Name) -> Option<Entry<Tag>> {
        let (name, scope) = self.place(name);
        scope.tags.get(&name).cloned()
    }

    /// The meaning of `name` in the innermost scope.
    pub fn find_own(&mut self, name: &Name) -> Option<&Entry<Symbol>> {
        let (name, scope) = self.place(name);
        scope.names.get(&name)
    }

    /// The type that `name` names here: a typedef or a tag, whichever is further in.
    pub fn find_type(&self, name: &str) -> Option<TypeMeaning> {
        let inner = self.blocks.iter().rev().find_map(|scope| self.type_in(scope, name));
        inner.or_else(|| self.nearest(name, |name| self.type_in(&self.file, name)))
    }

    fn type_in(&self, scope: &Scope, name: &str) -> Option<TypeMeaning> {
        let visible = |order: usize| order <= self.order;
        match scope.names.get(name) {
            Some(entry) if visible(entry.order) => match &entry.meaning {
                Symbol::Type(ty) => {
                    self.note_type(scope, entry.order);
                    return Some(TypeMeaning::Type(ty.clone()));
                }
                Symbol::TypeTemplate(index) => {
                    self.note_type(scope, entry.order);
                    return Some(TypeMeaning::Template(*index));
                }
                Symbol::Poisoned => return Some(TypeMeaning::Tag(Tag::Poisoned)),
                _ => {}
            },
            _ => {}
        }
        match scope.tags.get(name) {
            Some(entry) if visible(entry.order) => {
                if !matches!(entry.meaning, Tag::Poisoned) {
                    self.note_type(scope, entry.order);
                }
                Some(TypeMeaning::Tag(entry.meaning))
            }
            _ => None,
        }
    }

    fn note_type(&self, scope: &Scope, order: usize) {
        self.note_named(order, !std::ptr::eq(scope, &self.file));
    }

    /// The number of the item from which on a declaration made now is visible. Members are visible
    /// wherever their structure is: a template may get one that is declared after it.
    fn order_of(&self, name: &Name) -> usize {
        let whole = self.qualify(name);
        let is_member = owner_of(&whole).is_some_and(|owner| !self.namespaces.contains(owner));
        if self.is_outside_blocks() && is_member { 0 } else { self.order }
    }

    /// Gives `name` a meaning in the innermost scope, over an earlier one.
    pub fn set(&mut self, name: Name, meaning: Symbol, span: Option<Span>) {
        let order = self.order_of(&name);
        let (name, scope) = self.place(&name);
        // A redeclared name stays visible from its first declaration on.
        let order = scope.names.get(&name).map_or(order, |old| old.order);
        scope.names.insert(name, Entry { meaning, span, order });
    }

    /// Gives a whole name a meaning.
    pub fn set_whole(&mut self, name: Name, meaning: Symbol, span: Option<Span>) {
        let (blocks, paths) = (std::mem::take(&mut self.blocks), std::mem::take(&mut self.paths));
        self.set(name, meaning, span);
        (self.blocks, self.paths) = (blocks, paths);
    }

    /// Gives a tag a meaning in the innermost scope.
    pub fn set_tag(&mut self, name: Name, meaning: Tag, span: Option<Span>) {
        let order = self.order_of(&name);
        let (name, scope) = self.place(&name);
        let order = scope.tags.get(&name).map_or(order, |old| old.order);
        scope.tags.insert(name, Entry { meaning, span, order });
    }

    /// Removes the meaning of the nearest entity of this name outside of blocks, or of the name
    /// itself.
    pub fn poison_nearest(&mut self, name: &Name) {
        let known =
            self.nearest(name, |name| self.file.names.contains_key(name).then(|| name.into()));
        match known {
            Some(whole) => self.set_whole(whole, Symbol::Poisoned, None),
            None => self.set(name.clone(), Symbol::Poisoned, None),
        }
    }

    /// Gives no meaning to the functions of a structure, by its whole name, and of those inside it.
    pub fn poison_functions_in(&mut self, path: &str) {
        for (name, entry) in &mut self.file.names {
            let is_inside = name.strip_prefix(path).is_some_and(|rest| rest.starts_with("::"));
            if is_inside && matches!(entry.meaning, Symbol::Functions(_)) {
                entry.meaning = Symbol::Poisoned;
            }
        }
    }

    /// Gives `name` no meaning in the outermost block, so that it is reported once a function.
    pub fn poison(&mut self, name: Name) {
        let entry = Entry { meaning: Symbol::Poisoned, span: None, order: self.order };
        let scope = self.blocks.first_mut().unwrap_or(&mut self.file);
        scope.names.entry(name).or_insert(entry);
    }

    /// The names that can be used here.
    pub fn visible(&self) -> impl Iterator<Item = &str> {
        let inner = self.blocks.iter().rev().flat_map(|scope| scope.names.iter());
        inner
            .chain(self.file.names.iter().filter(|(_, entry)| entry.order <= self.order))
            .filter(|(_, entry)| !matches!(entry.meaning, Symbol::Poisoned))
            .map(|(name, _)| &**name)
    }

    /// The names of the functions of a structure that programs may call by name, in order.
    pub fn functions_of(&self, path: &str) -> Vec<String> {
        let before = format!("{path}::");
        let own = self.file.names.range::<str, _>((
            std::ops::Bound::Included(before.as_str()),
            std::ops::Bound::Unbounded,
        ));
        let own = own.map_while(|(name, entry)| Some((name.strip_prefix(&before)?, entry)));
        let is_plain = |name: &str| {
            name.chars().all(|c| c.is_alphanumeric() || c == '_') && !name.starts_with("__")
        };
        own.filter(|(name, entry)| matches!(entry.meaning, Symbol::Functions(_)) && is_plain(name))
            .map(|(name, _)| name.to_owned())
            .collect()
    }

    /// The state needed to look up names as here, without blocks.
    pub fn context(&self, bindings: Vec<Scope>) -> Context {
        Context { paths: self.paths.clone(), bindings, order: self.order, depth: self.depth }
    }

    /// The state needed to look up names as here.
    pub fn context_here(&self) -> Context {
        self.context(self.blocks.clone())
    }

    /// Looks up names in another context until [`leave`](Scopes::leave): those that are declared in front of it.
    pub fn enter(&mut self, context: &Context) -> Aside {
        Aside {
            blocks: std::mem::replace(&mut self.blocks, context.bindings.clone()),
            paths: std::mem::replace(&mut self.paths, context.paths.clone()),
            members_in: self.members_in.take(),
            order: std::mem::replace(&mut self.order, context.order),
            depth: std::mem::replace(&mut self.depth, context.depth),
        }
    }

    /// Undoes [`enter`](Scopes::enter).
    pub fn leave(&mut self, aside: Aside) {
        self.blocks = aside.blocks;
        self.paths = aside.paths;
        self.members_in = aside.members_in;
        self.order = aside.order;
        self.depth = aside.depth;
    }

    /// Opens the members of a structure. Returns the value that is needed to close them.
    pub fn open_members(&mut self, path: Name) -> Option<usize> {
        self.paths.push(path);
        self.members_in.replace(self.blocks.len())
    }

    /// Closes the members of a structure.
    pub fn close_members(&mut self, before: Option<usize>) {
        self.paths.pop();
        self.members_in = before;
    }
}

/// The whole name of `name` in a namespace; the outermost one is empty.
pub(crate) fn within(space: &str, name: &str) -> String {
    if space.is_empty() { name.to_owned() } else { format!("{space}::{name}") }
}

/// The innermost namespace around both, or that is one of them.
fn common<'a>(one: &str, other: &'a str) -> &'a str {
    let mut end = 0;
    let mut at = 0;
    for (a, b) in one.split("::").zip(other.split("::")) {
        if a != b {
            break;
        }
        end = at + b.len();
        at = end + 2;
    }
    &other[..end]
}

/// The part of a whole name in front of its last `::` outside template arguments.
fn owner_of(path: &str) -> Option<&str> {
    let mut depth = 0usize;
    for (at, byte) in path.bytes().enumerate().rev() {
        match byte {
            b'>' => depth += 1,
            b'<' => depth = depth.saturating_sub(1),
            b':' if depth == 0 => return path[..at].strip_suffix(':'),
            _ => {}
        }
    }
    None
}

/// The meaning of a type's name.
pub(crate) enum TypeMeaning {
    Type(QType),
    Template(usize),
    Tag(Tag),
}
