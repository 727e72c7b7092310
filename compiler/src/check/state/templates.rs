//! The templates of a program, and their instances.

use crate::check::state::scopes::{Context, Overloads, Variable};
use crate::check::tree::StructId;
use crate::check::types::{CType, QType};
use crate::diagnostic::Diagnostic;
use crate::syntax::source::Span;
use crate::syntax::tree as ast;
use crate::syntax::tree::Name;
use std::collections::BTreeMap;
use std::ops::{Index, IndexMut};
use std::rc::Rc;
use std::sync::Arc;

/// An argument of a template.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Argument {
    Type(QType),
    Value(i64, CType),
    /// A function, by its name.
    Function(Name, Rc<Overloads>),
}

/// A template.
#[derive(Debug)]
pub(crate) struct TemplateInfo {
    pub name: Name,
    pub tree: Arc<ast::Template>,
    pub context: Context,
    /// The structure that a function template belongs to.
    pub owner: Option<StructId>,
    /// Its instances, in order.
    instances: Vec<(Vec<Argument>, Made)>,
    /// The positions of its instances, by their arguments.
    positions: BTreeMap<Vec<Argument>, usize>,
    /// Forms of a class template for some arguments.
    pub partial: Vec<(Arc<ast::Template>, Context)>,
    /// Functions of a class template that are defined outside it.
    pub outside: Vec<Outside>,
    pub span: Span,
    /// The number of the item at file scope that declares it first.
    pub order: usize,
}

/// A function of a class template that is defined outside it.
#[derive(Clone, Debug)]
pub(crate) struct Outside {
    /// With the parameters of the class template.
    pub tree: Arc<ast::Template>,
    /// Its name in the structure.
    pub name: Name,
    pub context: Context,
}

/// The instance of a template for a list of arguments.
#[derive(Clone, Debug)]
pub(crate) enum Made {
    /// A function, by its index.
    Function(usize),
    Type(QType),
    Variable(Rc<Variable>),
}

impl TemplateInfo {
    /// A template that has made nothing.
    pub fn new(
        name: Name,
        tree: Arc<ast::Template>,
        context: Context,
        owner: Option<StructId>,
        span: Span,
        order: usize,
    ) -> TemplateInfo {
        TemplateInfo {
            name,
            tree,
            context,
            owner,
            instances: Vec::new(),
            positions: BTreeMap::new(),
            partial: Vec::new(),
            outside: Vec::new(),
            span,
            order,
        }
    }

    /// The instance for these arguments.
    pub fn instance(&self, arguments: &[Argument]) -> Option<&Made> {
        let &position = self.positions.get(arguments)?;
        Some(&self.instances[position].1)
    }

    /// Its instances, in order.
    pub fn instances(&self) -> &[(Vec<Argument>, Made)] {
        &self.instances
    }

    /// Returns true if its instances belong to a structure.
    pub fn is_member(&self) -> bool {
        self.owner.is_some()
    }

    /// The faults in the text of bodies without an instance.
    pub fn unread(&self) -> Vec<Diagnostic> {
        if !self.instances.is_empty() {
            return Vec::new();
        }
        let outside = self.outside.iter().map(|outside| &outside.tree.item);
        std::iter::once(&self.tree.item).chain(outside).flat_map(faults_in).collect()
    }
}

/// The faults in the text of a function's body.
fn faults_in(item: &ast::Item) -> Vec<Diagnostic> {
    match item {
        ast::Item::Function(definition) => crate::syntax::parse_body(&definition.body).1,
        _ => Vec::new(),
    }
}

/// All templates, by their indices.
#[derive(Debug, Default)]
pub(crate) struct Templates {
    all: Vec<TemplateInfo>,
    /// The number of instances of all of them.
    made: usize,
}

impl Templates {
    /// The index of a new template.
    pub fn add(&mut self, info: TemplateInfo) -> usize {
        self.all.push(info);
        self.all.len() - 1
    }

    pub fn iter(&self) -> impl Iterator<Item = &TemplateInfo> {
        self.all.iter()
    }

    /// The number of instances of all templates.
    pub fn made(&self) -> usize {
        self.made
    }

    /// Records a template's instance for arguments.
    pub fn note_instance(&mut self, index: usize, arguments: Vec<Argument>, made: Made) {
        let info = &mut self.all[index];
        info.positions.entry(arguments.clone()).or_insert(info.instances.len());
        info.instances.push((arguments, made));
        self.made += 1;
    }
}

impl Index<usize> for Templates {
    type Output = TemplateInfo;

    fn index(&self, index: usize) -> &TemplateInfo {
        &self.all[index]
    }
}

impl IndexMut<usize> for Templates {
    fn index_mut(&mut self, index: usize) -> &mut TemplateInfo {
        &mut self.all[index]
    }
}
