//! Instructions that move data, access memory, branch, or wait for other threads.

use crate::Refusal;
use crate::code::{Address, Atomic, Operation, Reduction, Slot, Source, Space, Wait, WarpKind};
use crate::form::{Words, ty};
use crate::resolve::{Binding, Resolver, refuse};
use crate::texture::{Fetch, Size, Surface};
use reconverge_ptx::tree::{Instruction, Operand, OperandKind, Type};

pub(crate) type Resolved<T> = Result<T, Refusal>;

/// The operation of an instruction that does not only compute.
pub(crate) fn operation(resolver: &Resolver, instruction: &Instruction) -> Resolved<Operation> {
    let mut words = Words::of(instruction);
    let mut reader = Reader { resolver, instruction };
    let operation = reader.operation(&mut words)?;
    words.finish().map_err(|message| Refusal { span: instruction.span, message })?;
    Ok(operation)
}

pub(crate) struct Reader<'a, 'r> {
    pub resolver: &'a Resolver<'r>,
    pub instruction: &'a Instruction,
}

impl Reader<'_, '_> {
    pub fn refuse<T>(&self, message: impl Into<String>) -> Resolved<T> {
        refuse(self.instruction.span, message)
    }

    pub fn ty(&self, words: &mut Words) -> Resolved<Type> {
        words.ty().map_err(|message| Refusal { span: self.instruction.span, message })
    }

    pub fn operand(&self, at: usize) -> Resolved<&Operand> {
        match self.instruction.operands.get(at) {
            Some(operand) => Ok(operand),
            None => self.refuse("an operand is missing"),
        }
    }

    /// Refuses operands from number `count` on.
    pub fn at_most(&self, count: usize) -> Resolved<()> {
        match self.instruction.operands.get(count) {
            Some(operand) => {
                refuse(operand.span, "the reference model has no meaning for this operand")
            }
            None => Ok(()),
        }
    }

    pub fn source(&self, at: usize, of: Type) -> Resolved<Source> {
        self.resolver.source(self.operand(at)?, of)
    }

    fn operation(&mut self, words: &mut Words) -> Resolved<Operation> {
        let mnemonic = &*self.instruction.mnemonic.text;
        match mnemonic {
            "mov" => self.move_value(words),
            "cvta" => self.convert_address(words),
            "isspacep" => self.is_in_space(words),
            "ld" | "ldu" => self.load(words),
            "st" => self.store(words),
            "tex" | "tld4" => Fetch::operation(self, words, mnemonic == "tld4"),
            "txq" | "suq" => Size::operation(self, words),
            "suld" | "sust" => Surface::operation(self, words, mnemonic == "suld"),
            "atom" | "red" => self.atomic(words, mnemonic == "atom"),
            "cp" if self.instruction.modifiers.iter().any(|it| &*it.text == "mbarrier") => {
                words.skip(|word| word == "mbarrier" || word == "arrive");
                self.phase(words)
            }
            "mbarrier" => self.phase(words),
            "cp" => self.asynchronous_copy(words),
            "bra" => {
                words.skip(|word| word == "uni");
                self.at_most(1)?;
                Ok(Operation::Branch(self.label(0)?))
            }
            "brx" => self.branch_index(words),
            "call" => self.call(words),
            "ret" => {
                words.skip(|word| word == "uni");
                Ok(Operation::Return)
            }
            "exit" => Ok(Operation::Exit),
            "trap" => Ok(Operation::Trap("trap")),
            "brkpt" => Ok(Operation::Trap("breakpoint")),
            "bar" | "barrier" => self.barrier(words),
            "vote" | "match" | "shfl" | "redux" | "activemask" | "elect" => {
                self.collective(words, mnemonic)
            }
            // They order or hint; this model keeps every order.
            "membar" | "fence" | "prefetch" | "prefetchu" | "nanosleep" | "pmevent" | "discard"
            | "applypriority" => {
                words.skip(|_| true);
                while words.ty().is_ok() {}
                Ok(Operation::Nothing)
            }
            _ => self.refuse(format!(
                "the reference model has no instruction `{}`",
                self.instruction.spelled()
            )),
        }
    }

    fn label(&self, at: usize) -> Resolved<usize> {
        let operand = self.operand(at)?;
        match &operand.kind {
            OperandKind::Name(name) => self.resolver.label(name, operand.span),
            _ => refuse(operand.span, "this is no label"),
        }
    }

    fn move_value(&self, words: &mut Words) -> Resolved<Operation> {
        let of = self.ty(words)?;
        self.at_most(2)?;
        let (to, from) = (self.operand(0)?, self.operand(1)?);
        if of.bits > 64 {
            return self.move_halves(to, from);
        }
        let (targets, parts) = (self.resolver.elements(to), self.resolver.elements(from));
        let width = |count: usize| u32::from(of.bits) / count as u32;
        let part_type = |count: usize| match width(count) {
            8 => Ok(ty("b8")),
            16 => Ok(ty("b16")),
            32 => Ok(ty("b32")),
            _ => self.refuse("the parts have no type"),
        };
        let is_vector = |operand: &Operand| matches!(operand.kind, OperandKind::Vector(_));
        match (is_vector(to), is_vector(from)) {
            (true, false) => {
                let part = part_type(targets.len())?;
                let parts = targets.iter().map(|it| self.resolver.destination(it, part));
                let parts = parts.collect::<Resolved<Vec<_>>>()?;
                let source = self.resolver.source(from, of)?;
                Ok(Operation::Split { source, parts, width: width(targets.len()) })
            }
            (false, true) => {
                let part = part_type(parts.len())?;
                let joined = parts
                    .iter()
                    .map(|it| Ok((self.resolver.source(it, part)?, width(parts.len()))));
                let joined = joined.collect::<Resolved<Vec<_>>>()?;
                match self.resolver.destination(to, of)? {
                    Some(result) => Ok(Operation::Join { parts: joined, result }),
                    None => Ok(Operation::Nothing),
                }
            }
            _ => self.copy(of),
        }
    }

    /// `mov.b128`: both halves are read before one is written.
    fn move_halves(&self, to: &Operand, from: &Operand) -> Resolved<Operation> {
        let of = ty("b64");
        let (targets, parts) = (self.resolver.halves(to)?, self.resolver.halves(from)?);
        let results = targets.iter().map(|it| self.resolver.destination(it, of));
        let sources = parts.iter().map(|it| self.resolver.source(it, of));
        Ok(Operation::Compute {
            compute: Box::new(|s, _| [s[0], s[1]]),
            sources: sources.collect::<Resolved<Vec<_>>>()?,
            results: results.collect::<Resolved<Vec<_>>>()?,
        })
    }

    /// The elements of what is loaded or stored, `count` of a type, and the type of each.
    fn accessed(
        &self,
        operand: &Operand,
        count: usize,
        of: Type,
    ) -> Resolved<(Vec<Operand>, Type)> {
        if of.bits > 64 {
            return Ok((self.resolver.halves(operand)?, ty("b64")));
        }
        self.fits(of)?;
        let elements = self.resolver.elements(operand);
        match elements.len() == count {
            true => Ok((elements, of)),
            false => self.refuse(format!("{} operands for {count} elements", elements.len())),
        }
    }

    /// Copies the second operand to the first.
    fn copy(&self, of: Type) -> Resolved<Operation> {
        let results = self.resolver.destinations(self.operand(0)?, &[of])?;
        let sources = vec![self.source(1, of)?];
        let compute: crate::form::Compute = Box::new(|s, _| [s[0], 0]);
        Ok(Operation::Compute { compute, sources, results })
    }

    fn convert_address(&self, words: &mut Words) -> Resolved<Operation> {
        words.skip(|word| word == "to");
        self.space(words);
        let of = self.ty(words)?;
        self.at_most(2)?;
        self.copy(of)
    }

    fn is_in_space(&self, words: &mut Words) -> Resolved<Operation> {
        let space = self.space(words);
        let operand = self.operand(1)?;
        let source = self.resolver.source(operand, ty("u64"))?;
        let result = self.resolver.destination(self.operand(0)?, ty("pred"))?;
        Ok(Operation::IsIn { space, source, result })
    }

    /// Takes the state space; generic if there is none.
    pub fn space(&self, words: &mut Words) -> Space {
        let spaces = [
            ("global", Space::Global),
            ("shared", Space::Shared),
            ("shared::cta", Space::Shared),
            ("local", Space::Local),
            ("const", Space::Constant),
            ("param", Space::Parameter),
            ("param::entry", Space::Parameter),
            ("param::func", Space::Parameter),
        ];
        let found = spaces.into_iter().find(|(word, _)| words.take(word));
        found.map_or(Space::Generic, |(_, space)| space)
    }

    /// Takes words that say how an access is ordered and cached, which changes nothing here.
    fn skip_order(&self, words: &mut Words) {
        const ORDERS: [&str; 22] = [
            "weak",
            "relaxed",
            "acquire",
            "release",
            "acq_rel",
            "volatile",
            "mmio",
            "cta",
            "cluster",
            "gpu",
            "sys",
            "ca",
            "cg",
            "cs",
            "lu",
            "cv",
            "wb",
            "wt",
            "nc",
            "noftz",
            "sc",
            "evict_last",
        ];
        words.skip(|word| {
            ORDERS.contains(&word) || word.starts_with("L1::") || word.starts_with("L2::")
        });
    }

    pub fn address(&self, at: usize, space: Space) -> Resolved<Address> {
        let operand = self.operand(at)?;
        let inner = match &operand.kind {
            OperandKind::Address(inner) => inner,
            _ => return refuse(operand.span, "this is no address"),
        };
        let wide = ty("u64");
        let (base, offset) = match &inner.kind {
            OperandKind::Offset(name, offset) => {
                let kind = OperandKind::Name(name.clone());
                let name = Operand { kind, span: inner.span };
                (self.resolver.source(&name, wide)?, *offset)
            }
            _ => (self.resolver.source(inner, wide)?, 0),
        };
        Ok(Address { base, offset, space })
    }

    /// Takes `.v2`, `.v4` or `.v8`: the number of elements.
    fn vector(&self, words: &mut Words) -> usize {
        let sizes = [("v2", 2), ("v4", 4), ("v8", 8)];
        sizes.into_iter().find(|(word, _)| words.take(word)).map_or(1, |(_, count)| count)
    }

    fn load(&self, words: &mut Words) -> Resolved<Operation> {
        let space = self.space(words);
        let count = self.vector(words);
        self.skip_order(words);
        let of = self.ty(words)?;
        self.at_most(2)?;
        let (targets, of) = self.accessed(self.operand(0)?, count, of)?;
        let results = targets.iter().map(|it| self.resolver.destination(it, of));
        let results = results.collect::<Resolved<Vec<_>>>()?;
        Ok(Operation::Load { address: self.address(1, space)?, bytes: of.bytes(), results })
    }

    fn store(&self, words: &mut Words) -> Resolved<Operation> {
        let space = self.space(words);
        let count = self.vector(words);
        self.skip_order(words);
        let of = self.ty(words)?;
        self.at_most(2)?;
        let (values, of) = self.accessed(self.operand(1)?, count, of)?;
        let sources = values.iter().map(|it| self.resolver.source(it, of));
        let sources = sources.collect::<Resolved<Vec<_>>>()?;
        Ok(Operation::Store { address: self.address(0, space)?, bytes: of.bytes(), sources })
    }

    fn fits(&self, of: Type) -> Resolved<()> {
        match of.bits {
            8 | 16 | 32 | 64 => Ok(()),
            _ => self.refuse(format!("the reference model accesses no `.{}`", of.name)),
        }
    }

    fn atomic(&self, words: &mut Words, has_result: bool) -> Resolved<Operation> {
        let space = self.space(words);
        self.skip_order(words);
        let operations = [
            ("and", Atomic::And),
            ("or", Atomic::Or),
            ("xor", Atomic::Xor),
            ("add", Atomic::Add),
            ("inc", Atomic::Increment),
            ("dec", Atomic::Decrement),
            ("min", Atomic::Least),
            ("max", Atomic::Greatest),
            ("exch", Atomic::Exchange),
            ("cas", Atomic::CompareExchange),
        ];
        let found = operations.into_iter().find(|(word, _)| words.take(word));
        let Some((_, operation)) = found else {
            return self.refuse("the operation, such as `.add`, is missing");
        };
        let of = self.ty(words)?;
        self.fits(of)?;
        let first = usize::from(has_result);
        let result = match has_result {
            true => self.resolver.destination(self.operand(0)?, of)?,
            false => None,
        };
        let count = if operation == Atomic::CompareExchange { 2 } else { 1 };
        self.at_most(first + 1 + count)?;
        let sources = (0..count).map(|at| self.source(first + 1 + at, of));
        let sources = sources.collect::<Resolved<Vec<_>>>()?;
        let address = self.address(first, space)?;
        Ok(Operation::Atomic { operation, of, address, sources, result })
    }

    fn branch_index(&self, words: &mut Words) -> Resolved<Operation> {
        words.skip(|word| matches!(word, "idx" | "uni"));
        self.at_most(2)?;
        let index = self.source(0, ty("u32"))?;
        let operand = self.operand(1)?;
        let OperandKind::Name(name) = &operand.kind else {
            return refuse(operand.span, "this is no list of targets");
        };
        match self.resolver.find(name) {
            Some(Binding::Targets(targets)) => Ok(Operation::BranchIndex { index, targets }),
            _ => refuse(operand.span, format!("`{name}` is no list of targets")),
        }
    }

    /// The place of an argument or result of a call.
    fn slot(&self, operand: &Operand) -> Resolved<Slot> {
        match &operand.kind {
            OperandKind::Constant(constant) => match constant.integer() {
                Some(bits) => Ok(Slot::Constant(bits)),
                None => refuse(operand.span, "the reference model passes integers only"),
            },
            OperandKind::Name(name) => match self.resolver.find(name) {
                Some(Binding::Registers { first, vector: 1, .. }) => Ok(Slot::Register(first)),
                Some(Binding::Frame { offset, size }) => Ok(Slot::Frame { offset, size }),
                _ => refuse(operand.span, format!("`{name}` is no argument")),
            },
            _ => refuse(operand.span, "this is no argument"),
        }
    }

    fn slots(&self, operand: Option<&Operand>) -> Resolved<Vec<Slot>> {
        match operand.map(|it| &it.kind) {
            Some(OperandKind::List(items)) => items.iter().map(|it| self.slot(it)).collect(),
            _ => Ok(Vec::new()),
        }
    }

    fn call(&self, words: &mut Words) -> Resolved<Operation> {
        words.skip(|word| word == "uni");
        let operands = &self.instruction.operands;
        let is_list =
            |at: usize| operands.get(at).is_some_and(|it| matches!(it.kind, OperandKind::List(_)));
        let at = usize::from(is_list(0));
        let results = self.slots(operands.first().filter(|_| at == 1))?;
        let arguments = self.slots(operands.get(at + 1))?;
        let callee = self.operand(at)?;
        let OperandKind::Name(name) = &callee.kind else {
            return refuse(callee.span, "this is no function");
        };
        if let Some(&function) = self.resolver.functions.get(name) {
            return Ok(Operation::Call { function, arguments, results });
        }
        match (&**name, arguments.as_slice()) {
            ("vprintf", &[format, arguments]) => {
                let result = results.first().copied();
                Ok(Operation::Print { format, arguments, result })
            }
            ("__assertfail", _) => Ok(Operation::Trap("an assertion failed")),
            _ if self.resolver.declared.contains_key(name) => {
                refuse(callee.span, format!("the function `{name}` has no body"))
            }
            _ => refuse(callee.span, "the reference model makes no indirect calls"),
        }
    }

    fn barrier(&self, words: &mut Words) -> Resolved<Operation> {
        words.skip(|word| matches!(word, "cta" | "aligned"));
        if words.take("warp") {
            words.skip(|word| word == "sync");
            self.at_most(1)?;
            let mask = Some(self.source(0, ty("u32"))?);
            let kind = WarpKind::Barrier;
            let wait = Wait::Warp { kind, mask, sources: Vec::new(), results: [None; 2] };
            return Ok(Operation::Wait(wait));
        }
        let arrives = words.take("arrive");
        let reduces = words.take("red");
        if !arrives && !reduces && !words.take("sync") {
            return self.refuse("one of `.sync`, `.arrive` and `.red` is needed");
        }
        let reductions =
            [("popc", Reduction::Count), ("and", Reduction::And), ("or", Reduction::Or)];
        let kind = reductions.into_iter().find(|(word, _)| words.take(word)).map(|(_, it)| it);
        let operands = self.instruction.operands.len();
        let (mut result, mut reduction, mut numbers) = (None, None, 0..operands);
        if reduces {
            let Some(kind) = kind else {
                return self.refuse("one of `.popc`, `.and` and `.or` is needed");
            };
            let of = self.ty(words)?;
            if operands < 3 {
                return self.refuse("an operand is missing");
            }
            result = self.resolver.destination(self.operand(0)?, of)?;
            reduction = Some((kind, self.source(operands - 1, ty("pred"))?));
            numbers = 1..operands - 1;
        }
        let number = match numbers.next() {
            Some(at) => self.source(at, ty("u32"))?,
            None => return self.refuse("the number of the barrier is missing"),
        };
        let count = numbers.next().map(|at| self.source(at, ty("u32"))).transpose()?;
        if numbers.next().is_some() {
            return self.refuse("there are too many operands");
        }
        Ok(Operation::Wait(Wait::Barrier { number, count, arrives, reduction, result }))
    }

    fn collective(&self, words: &mut Words, mnemonic: &str) -> Resolved<Operation> {
        let mut synchronises = words.take("sync");
        let predicate = ty("pred");
        // The kind, the types of the results, and those of the sources but the mask.
        let (kind, results, sources) = match mnemonic {
            "activemask" => (WarpKind::Active, vec![self.ty(words)?], Vec::new()),
            "elect" => (WarpKind::Elect, vec![ty("b32"), predicate], Vec::new()),
            "vote" => {
                let kind = self.vote_kind(words)?;
                synchronises |= words.take("sync");
                (kind, vec![self.ty(words)?], vec![predicate])
            }
            "match" => {
                let all = words.take("all");
                let _ = words.take("any");
                let of = self.ty(words)?;
                let kind = if all { WarpKind::MatchAll } else { WarpKind::MatchAny };
                (kind, vec![ty("b32"), predicate], vec![of])
            }
            "shfl" => {
                let kind = self.shuffle_kind(words)?;
                let of = self.ty(words)?;
                (kind, vec![of, predicate], vec![of, ty("u32"), ty("u32")])
            }
            _ => {
                let reduction = self.reduction(words)?;
                let of = self.ty(words)?;
                (WarpKind::Reduce(reduction, of), vec![of], vec![of])
            }
        };
        let takes_mask = synchronises || kind == WarpKind::Elect;
        let count = sources.len();
        self.at_most(1 + count + usize::from(takes_mask))?;
        let mask = match takes_mask {
            true => Some(self.source(1 + count, ty("u32"))?),
            false => None,
        };
        let sources = sources.into_iter().enumerate().map(|(at, of)| self.source(1 + at, of));
        let sources = sources.collect::<Resolved<Vec<_>>>()?;
        let found = self.resolver.destinations(self.operand(0)?, &results)?;
        let mut results = [None; 2];
        for (result, found) in results.iter_mut().zip(found) {
            *result = found;
        }
        Ok(Operation::Wait(Wait::Warp { kind, mask, sources, results }))
    }

    fn vote_kind(&self, words: &mut Words) -> Resolved<WarpKind> {
        match words.one_of(&["all", "any", "uni", "ballot"]) {
            Some("all") => Ok(WarpKind::VoteAll),
            Some("any") => Ok(WarpKind::VoteAny),
            Some("uni") => Ok(WarpKind::VoteUniform),
            Some(_) => Ok(WarpKind::Ballot),
            None => self.refuse("one of `.all`, `.any`, `.uni` and `.ballot` is needed"),
        }
    }

    fn shuffle_kind(&self, words: &mut Words) -> Resolved<WarpKind> {
        match words.one_of(&["up", "down", "bfly", "idx"]) {
            Some("up") => Ok(WarpKind::ShuffleUp),
            Some("down") => Ok(WarpKind::ShuffleDown),
            Some("bfly") => Ok(WarpKind::ShuffleButterfly),
            Some(_) => Ok(WarpKind::ShuffleIndex),
            None => self.refuse("one of `.up`, `.down`, `.bfly` and `.idx` is needed"),
        }
    }

    fn reduction(&self, words: &mut Words) -> Resolved<Reduction> {
        match words.one_of(&["add", "min", "max", "and", "or", "xor"]) {
            Some("add") => Ok(Reduction::Add),
            Some("min") => Ok(Reduction::Least),
            Some("max") => Ok(Reduction::Greatest),
            Some("and") => Ok(Reduction::And),
            Some("or") => Ok(Reduction::Or),
            Some(_) => Ok(Reduction::Xor),
            None => self.refuse("the operation, such as `.add`, is missing"),
        }
    }
}
