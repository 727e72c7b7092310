//! Structures and unions: their members, and where these lie.

use crate::check::state::Checker;
use crate::check::state::structs::{FieldInfo, Placing, SIZE_LIMIT, StructInfo};
use crate::check::tree::{Struct, StructId};
use crate::check::types::{CType, QType};
use crate::diagnostic::{Diagnostic, code};
use crate::syntax::source::Span;
use crate::syntax::tree as ast;
use crate::syntax::tree::Word;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The deepest nesting of structures in each other.
const STRUCT_DEPTH: u32 = 100;

/// A member that is being added.
struct Member<'a> {
    name: &'a str,
    ty: QType,
    span: Span,
    how: Placing,
}

/// CUDA's vector types: `float4` is `("float", 4)`.
fn vector_base(name: &str) -> Option<(CType, u64)> {
    use crate::check::tree::IntKind::*;
    let digit = name.bytes().last().filter(|digit| (b'1'..=b'4').contains(digit))?;
    let base = match &name[..name.len() - 1] {
        "char" => CType::Int(SChar),
        "uchar" => CType::Int(UChar),
        "short" => CType::Int(Short),
        "ushort" => CType::Int(UShort),
        "int" => CType::Int(Int),
        "uint" => CType::Int(UInt),
        "long" => CType::Int(Long),
        "ulong" => CType::Int(ULong),
        "longlong" => CType::Int(LongLong),
        "ulonglong" => CType::Int(ULongLong),
        "float" => CType::Float,
        "double" => CType::Double,
        _ => return None,
    };
    Some((base, u64::from(digit - b'0')))
}

/// Returns true if a name is that of a vector type.
pub(crate) fn is_vector(name: &str) -> bool {
    !name.is_empty() && name.is_char_boundary(name.len() - 1) && vector_base(name).is_some()
}

impl Checker {
    pub(crate) fn structure(&self, id: StructId) -> &StructInfo {
        &self.structs[id]
    }

    pub(crate) fn structure_mut(&mut self, id: StructId) -> &mut StructInfo {
        &mut self.structs[id]
    }

    /// A structure about which nothing but the name is known.
    pub(crate) fn announce_struct(&mut self, name: String, is_union: bool) -> StructId {
        let path = self.scopes.qualify(&name.as_str().into());
        self.structs.add(StructInfo::announced(name, path, is_union))
    }

    /// The structure of a vector type.
    pub(crate) fn vector_type(&mut self, name: &str) -> Option<StructId> {
        let (base, count) = vector_base(name)?;
        if let Some(known) = self.structs.vector(name) {
            return Some(known);
        }
        let size = self.size_of(&base).unwrap_or(1);
        // It is of the outermost namespace, wherever it is named first.
        let info = StructInfo::announced(name.to_owned(), name.into(), false);
        let id = self.structs.add(info);
        let info = self.structure_mut(id);
        for axis in ["x", "y", "z", "w"].iter().take(count as usize) {
            info.push(axis, base.clone().plain(), size, size);
        }
        if count != 3 {
            info.align = (size * count).min(16);
        }
        info.finish();
        self.structs.add_vector(name, id);
        Some(id)
    }

    /// `dim3`, which is always the first structure.
    pub(crate) fn define_dim3(&mut self) {
        let id = self.announce_struct("dim3".to_owned(), false);
        let info = self.structure_mut(id);
        for axis in ["x", "y", "z"] {
            info.push(axis, CType::UINT.plain(), 4, 4);
        }
        info.finish();
    }

    /// Bytes of a type; `None` if they are not known (yet).
    pub(crate) fn size_of(&self, ty: &CType) -> Option<u64> {
        Some(match ty {
            CType::Void | CType::Opaque(_) => return None,
            CType::Array(element, length) => self.size_of(&element.ty)?.saturating_mul((*length)?),
            CType::Reference(to, _) => return self.size_of(&to.ty),
            CType::Struct(id) => {
                let info = self.structure(*id);
                return info.complete.then_some(info.size);
            }
            other => other.lower().size(&[]),
        })
    }

    pub(crate) fn align_of(&self, ty: &CType) -> u64 {
        match ty {
            CType::Array(of, _) | CType::Reference(of, _) => self.align_of(&of.ty),
            CType::Struct(id) => self.structure(*id).align,
            other => self.size_of(other).unwrap_or(1),
        }
    }

    /// The size of a type of which objects are made; reports if there is none.
    pub(crate) fn object_size(&mut self, ty: &CType, span: Span, what: &str) -> Option<u64> {
        let Some(size) = self.size_of(ty) else {
            self.report_incomplete(ty, span, what);
            return None;
        };
        if size >= SIZE_LIMIT {
            let message = format!("{what} has {size} bytes, the limit is 1 GiB");
            return self.fail(Diagnostic::error(code::LIMIT_SIZE, span, message));
        }
        Some(size)
    }

    pub(crate) fn report_incomplete(&mut self, ty: &CType, span: Span, what: &str) {
        let mut inner = ty;
        while let CType::Array(element, _) = inner {
            inner = &element.ty;
        }
        if let CType::Struct(id) = inner
            && self.structure(*id).faulty
        {
            return;
        }
        let message = format!("{what} has the incomplete type `{}`", self.spell(ty));
        let mut found = Diagnostic::error(code::INCOMPLETE_TYPE, span, message);
        if let CType::Struct(id) = inner {
            let info = self.structure(*id);
            let note = format!("`{}` is announced, but its members are not given above", info.name);
            found = match info.span {
                Some(span) => found.secondary(span, note),
                None => found.note(note),
            };
        }
        self.report(found);
    }

    /// A structure as the checked tree has it.
    pub(crate) fn lower_struct(&self, id: StructId) -> Struct {
        let info = self.structure(id);
        let measure = |ty: &CType| (self.size_of(ty).unwrap_or(1), self.align_of(ty).max(1));
        let member = info.fields.first().map_or(0, |field| self.align_of(&field.ty.ty));
        let is_vector = self.structs.vector(&info.name) == Some(id) && is_vector(&info.name);
        Struct {
            name: info.name.clone(),
            fields: info.lowered_fields(&measure),
            size: info.size.max(1),
            align: info.align.max(1),
            is_union: info.is_union,
            is_vector: is_vector && member >= 4 && info.align > member,
        }
    }

    /// Fills in the members of a structure that hold values.
    pub(crate) fn define_fields(&mut self, id: StructId, members: &[ast::Item], how: Placing) {
        let mut names = BTreeMap::new();
        for member in members {
            let errors = self.reports.errors();
            if let ast::Item::Declaration(member) = member {
                self.member_declaration(id, member, &mut names, how);
            }
            if self.reports.errors() > errors || matches!(member, ast::Item::Faulty) {
                let info = self.structure_mut(id);
                (info.faulty, info.broken) = (true, true);
            }
        }
        let info = self.structure_mut(id);
        info.align = info.align.max(how.align.unwrap_or(1));
        info.finish();
    }

    fn member_declaration(
        &mut self,
        id: StructId,
        member: &ast::Declaration,
        names: &mut BTreeMap<String, Span>,
        how: Placing,
    ) {
        if crate::check::declare::class::declares_functions(member) {
            return;
        }
        let specifiers = self.specifiers(&member.specifiers);
        if specifiers.has(Word::Typedef)
            || specifiers.has(Word::Static)
            || specifiers.has(Word::Constexpr)
        {
            return self.file_declarators(&specifiers, member);
        }
        self.refuse_storage(&specifiers, "a member", &[]);
        let Some(base) = specifiers.base.clone() else {
            return;
        };
        if member.declarators.is_empty() {
            self.anonymous_member(id, base, member, names, how);
            return;
        }
        for declared in &member.declarators {
            let Some(ty) = self.object_type(base.clone(), &declared.declarator, "a member") else {
                continue;
            };
            let Some(name) = &declared.declarator.name else {
                continue;
            };
            let own = declared.layout.iter().try_fold(Placing::default(), |sum, one| {
                Some(sum.and(self.placing(std::slice::from_ref(one))?))
            });
            let Some(own) = own else {
                continue;
            };
            let align = specifiers.layout.align.max(own.align);
            let packed = how.packed || specifiers.layout.packed || own.packed;
            let member = Member {
                name,
                ty,
                span: declared.declarator.name_span,
                how: Placing { align, packed, most: how.most },
            };
            match &declared.width {
                Some(width) => self.bit_field(id, member, width, names),
                None => self.add_member(id, member, names),
            }
            if let (Some(default), Some(field)) =
                (declared.init.clone(), self.structure_mut(id).fields.last_mut())
            {
                field.default = Some(Arc::new(default));
            }
        }
    }

    /// The layout from attributes, `None` when a fault was reported. Among several alignments the
    /// last counts, as for structures; for a member the largest counts.
    pub(crate) fn placing(&mut self, layout: &[ast::Layout]) -> Option<Placing> {
        let mut found = Placing::default();
        for one in layout {
            match one {
                ast::Layout::Align(values) => {
                    found.align = Some(self.alignment(values)?);
                }
                ast::Layout::Packed => found.packed = true,
                ast::Layout::Pack(bytes) => {
                    let bytes = self.constant_integer(bytes, "an alignment")?;
                    found.most = u64::try_from(bytes).ok();
                }
            }
        }
        Some(found)
    }

    /// Adds a member that is a bit-field.
    fn bit_field(
        &mut self,
        id: StructId,
        member: Member<'_>,
        width: &ast::Expr,
        names: &mut BTreeMap<String, Span>,
    ) {
        let Member { name, ty, span, how } = member;
        let Some(bits) = self.constant_integer(width, "the width of a bit-field") else {
            return;
        };
        let size = match (&ty.ty, ty.ty.kind()) {
            (CType::Bool, _) => 1,
            (_, Some(kind)) => u64::from(kind.size()),
            (other, None) => {
                let message = format!("a bit-field is an integer, not a `{}`", self.spell(other));
                self.report(Diagnostic::error(code::BAD_DECLARATION, span, message));
                return;
            }
        };
        let most = if ty.ty == CType::Bool { 1 } else { 8 * size as i64 };
        if !(0..=most).contains(&bits) || (bits == 0 && !name.is_empty()) {
            let spelled = self.spell(&ty.ty);
            let message = format!("a bit-field of type `{spelled}` cannot have {bits} bits");
            self.report(Diagnostic::error(code::BAD_DECLARATION, width.span, message));
            return;
        }
        if how.align.is_some() {
            let message = "unsupported: a bit-field with an alignment of its own";
            self.report(Diagnostic::error(code::UNSUPPORTED_BITFIELD, span, message));
            return;
        }
        if !name.is_empty() {
            self.note_member(id, name, span, names);
        }
        let info = self.structure_mut(id);
        info.put_bits(name, ty, size, size, bits as u32, how);
    }

    /// `union { ... };` among the members.
    fn anonymous_member(
        &mut self,
        id: StructId,
        base: QType,
        member: &ast::Declaration,
        names: &mut BTreeMap<String, Span>,
        how: Placing,
    ) {
        let untagged = member.specifiers.items.iter().any(|specifier| {
            matches!(&specifier.kind, ast::SpecifierKind::Struct(inner) if inner.tag.is_none())
        });
        if !untagged {
            return;
        }
        if let CType::Struct(inner) = base.ty {
            for name in self.member_names(inner) {
                self.note_member(id, &name, member.span, names);
            }
            let how = Placing { align: None, ..how };
            let member = Member { name: "", ty: base, span: member.span, how };
            self.add_member(id, member, names);
        }
    }

    fn member_names(&self, id: StructId) -> Vec<String> {
        let mut names = Vec::new();
        for field in &self.structure(id).fields {
            match field.ty.ty {
                CType::Struct(inner) if field.name.is_empty() => {
                    names.extend(self.member_names(inner));
                }
                _ => names.push(field.name.clone()),
            }
        }
        names
    }

    /// Reports a member's name that another has already.
    fn note_member(
        &mut self,
        id: StructId,
        name: &str,
        span: Span,
        names: &mut BTreeMap<String, Span>,
    ) {
        if let Some(&earlier) = names.get(name) {
            let message = format!("`{}` has two members `{name}`", self.structure(id).name);
            self.report(
                Diagnostic::error(code::REDEFINED, span, message)
                    .secondary(earlier, "first defined here"),
            );
        }
        names.entry(name.to_owned()).or_insert(span);
    }

    fn add_member(&mut self, id: StructId, member: Member<'_>, names: &mut BTreeMap<String, Span>) {
        let Member { name, ty, span, how } = member;
        if !name.is_empty() {
            self.note_member(id, name, span, names);
        }
        let Some(size) = self.object_size(&ty.ty, span, "the member") else {
            return;
        };
        let depth = 1 + self.struct_depth(&ty.ty);
        if depth > STRUCT_DEPTH {
            let message = format!("structures are nested more than {STRUCT_DEPTH} deep");
            self.report(Diagnostic::error(code::LIMIT_NESTING, span, message));
            return;
        }
        if self.structure(id).is_union && self.needs_destruction(&ty.ty) {
            let message = "unsupported: a member of a union whose type has a destructor";
            self.report(Diagnostic::error(code::UNSUPPORTED_CLASS, span, message));
        }
        let starts = self.starts(&ty.ty);
        let align = self.align_of(&ty.ty);
        let info = self.structure_mut(id);
        info.depth = info.depth.max(depth);
        info.starts |= starts;
        info.put(name, ty, size, align, how);
        if info.size >= SIZE_LIMIT {
            let message = format!("`{}` has {} bytes, the limit is 1 GiB", info.name, info.size);
            info.size = 1;
            self.report(Diagnostic::error(code::LIMIT_SIZE, span, message));
        }
    }

    fn struct_depth(&self, ty: &CType) -> u32 {
        match ty {
            CType::Array(element, _) => self.struct_depth(&element.ty),
            CType::Struct(id) => self.structure(*id).depth,
            _ => 0,
        }
    }

    /// The member `name`, members of unnamed members included: its type and place.
    pub(crate) fn find_member(&self, id: StructId, name: &str) -> Option<FieldInfo> {
        for field in &self.structure(id).fields {
            if field.name == name {
                return Some(field.clone());
            }
            if let (true, CType::Struct(inner)) = (field.name.is_empty(), &field.ty.ty)
                && let Some(found) = self.find_member(*inner, name)
            {
                return Some(FieldInfo { offset: field.offset + found.offset, ..found });
            }
        }
        None
    }

    /// Reports a member that does not exist.
    pub(crate) fn report_no_member(&mut self, id: StructId, name: &str, span: Span) {
        let info = self.structure(id);
        if info.faulty {
            // It may be the one that cannot be read.
            return self.note_poison(&name.into(), span);
        }
        if !info.complete {
            self.report_incomplete(&CType::Struct(id), span, "the structure");
            return;
        }
        let message = format!("`{}` has no member `{name}`", info.name);
        let info = self.structure(id);
        let is_supplied = info.span.is_some_and(|span| self.program.is_supplied(span.file));
        // For a supplied type the functions matter, not its data.
        let names = match is_supplied && info.constructed {
            true => self.scopes.functions_of(&info.path),
            false => self.member_names(id),
        };
        let near = reconverge_isa::nearest::nearest(name, names.iter().map(String::as_str));
        let mut found = Diagnostic::error(code::NO_MEMBER, span, message);
        if let Some(span) = self.structure(id).span {
            found = found.secondary(span, "declared here");
        }
        found = match near {
            Some(near) => found.help(format!("did you mean `{near}`?")),
            None if is_supplied && !names.is_empty() => {
                found.help(format!("it has `{}`", names.join("`, `")))
            }
            None if names.is_empty() || names.len() > 8 => found,
            None => found.help(format!("its members are `{}`", names.join("`, `"))),
        };
        self.report(found);
    }
}
