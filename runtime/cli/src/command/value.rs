//! The values of `--arg`: numbers, structures, and buffers from generators and files.

use reconverge::session::npy;
use reconverge::session::scalar::{Part, Scalar, parts, spell};
use reconverge::session::{Error, Gpu};
use reconverge_compiler::check;
use reconverge_compiler::check::tree::{Module, Type};
use reconverge_isa::nearest::hint;
use reconverge_isa::wording::counted;
use std::path::Path;

/// The fault of a value, and the part of its text with the fault.
pub struct Wrong {
    start: usize,
    length: usize,
    message: String,
}

impl Wrong {
    /// The fault under the text.
    pub fn render(&self, option: &str, text: &str, what: &str) -> String {
        let start = self.start.min(text.len());
        let before = text.get(..start).unwrap_or("").chars().count() + option.len() + 1;
        let marks = "^".repeat(self.length.max(1));
        format!("{what}: {}\n  {option} {text}\n  {:before$}{marks}", self.message, "")
    }
}

type Result<T> = std::result::Result<T, Wrong>;

/// A buffer that a value has made.
#[derive(Debug)]
pub struct Made {
    /// The parameter, with the members that lead to it.
    pub name: String,
    pub address: u32,
    /// Its contents.
    pub layout: Layout,
    /// The number of elements.
    pub count: usize,
    /// The extents of the array that was read, if one was.
    pub shape: Option<Vec<usize>>,
}

/// An element of a buffer.
#[derive(Clone, Debug)]
pub struct Layout {
    /// Bytes from one to the next.
    pub stride: usize,
    pub parts: Vec<Part>,
    /// The spelling in C.
    pub name: String,
}

impl Layout {
    fn scalar(scalar: Scalar) -> Layout {
        let parts = vec![Part { path: String::new(), offset: 0, ty: Ok(scalar) }];
        Layout { stride: scalar.bytes(), parts, name: scalar.name().to_owned() }
    }

    /// The type of all its parts, if it is one and nothing lies between them.
    pub fn uniform(&self) -> Option<Scalar> {
        let first = *self.parts.first()?.ty.as_ref().ok()?;
        let same = self.parts.iter().all(|part| part.ty.as_ref() == Ok(&first));
        (same && first.bytes() * self.parts.len() == self.stride).then_some(first)
    }
}

/// The files of `npy:FILE` and its like.
#[derive(Clone, Copy, Debug)]
pub enum Files {
    /// They are read.
    Read,
    /// None is, for this reason.
    Refused(&'static str),
}

/// Reads values for the parameters of a kernel.
pub struct Reader<'a, 'm> {
    pub module: &'a Module,
    pub gpu: &'a mut Gpu<'m>,
    /// The whole text of the value that is being read.
    pub text: &'a str,
    /// The index of the argument; seeds differ by it.
    pub index: usize,
    /// The permission to read files.
    pub files: Files,
    pub made: Vec<Made>,
}

impl<'a> Reader<'a, '_> {
    /// A fault at a part of the text.
    fn wrong<T>(&self, part: &str, message: impl Into<String>) -> Result<T> {
        // A part is a slice of the text.
        let start = (part.as_ptr() as usize).saturating_sub(self.text.as_ptr() as usize);
        Err(Wrong { start, length: part.chars().count(), message: message.into() })
    }

    /// The bytes of a value of a type.
    pub fn value(&mut self, text: &'a str, ty: &Type, name: &str) -> Result<Vec<u8>> {
        let text = text.trim();
        match ty {
            Type::Pointer(to) => {
                let address = self.pointer(text, to, name)?;
                Ok(u64::from(address).to_le_bytes().to_vec())
            }
            Type::Struct(_) | Type::Array(..) => self.aggregate(text, ty, name),
            other => match Scalar::of(other) {
                Some(scalar) => {
                    let bits = self.number(text, scalar)?;
                    Ok(bits[..scalar.bytes()].to_vec())
                }
                None => {
                    self.wrong(text, format!("nothing is of type `{}`", spell(ty, self.module)))
                }
            },
        }
    }

    /// The bytes and the alignment of a value for a parameter of unknown type: the text has the
    /// type.
    pub fn typed(&mut self, text: &'a str, name: &str) -> Result<(Vec<u8>, usize)> {
        let text = text.trim();
        let address = |address: u32| (u64::from(address).to_le_bytes().to_vec(), 8);
        if let Some(inner) = text.strip_prefix('{').and_then(|text| text.strip_suffix('}')) {
            let (mut bytes, mut most) = (Vec::new(), 1);
            for (index, item) in self.items(inner)?.into_iter().enumerate() {
                let (value, align) = self.typed(item, &format!("{name}[{index}]"))?;
                append(&mut bytes, &value, align);
                most = align.max(most);
            }
            bytes.resize(bytes.len().next_multiple_of(most), 0);
            return Ok((bytes, most));
        }
        match text.split_once(':') {
            None if is_null(text) => Ok(address(0)),
            None => self.wrong(
                text,
                format!("`{text}` has no type, and the kernel does not say one: write `i32:1`, `f32:2.5`, or a buffer with `type=`"),
            ),
            Some((ty, number)) => match scalar_named(ty) {
                Some(scalar) => {
                    let bits = self.number(number, scalar)?;
                    Ok((bits[..scalar.bytes()].to_vec(), scalar.bytes()))
                }
                None => Ok(address(self.pointer(text, &Type::Void, name)?)),
            },
        }
    }

    /// A value in `size` bytes: an address fits a word, any other value is as large as its type.
    pub fn fitted(&self, text: &'a str, mut value: Vec<u8>, size: u32) -> Result<Vec<u8>> {
        let size = size as usize;
        let is_address = text.split_once(':').is_none_or(|(ty, _)| scalar_named(ty).is_none());
        if is_address && !text.starts_with('{') && size == 4 {
            value.truncate(size);
        }
        match value.len() == size {
            true => Ok(value),
            false => {
                self.wrong(text, format!("`{text}` has {}", counted(value.len() as u64, "byte")))
            }
        }
    }

    fn aggregate(&mut self, text: &'a str, ty: &Type, name: &str) -> Result<Vec<u8>> {
        let structs = &self.module.structs;
        let members: Vec<(String, Type, u64)> = match ty {
            Type::Struct(id) => {
                let data = &structs[id.0 as usize];
                let count = if data.is_union { 1 } else { data.fields.len() };
                let member = |field: &check::tree::Field| {
                    (format!(".{}", field.name), field.ty.clone(), field.offset)
                };
                data.fields.iter().take(count).map(member).collect()
            }
            Type::Array(element, length) => {
                let size = element.size(structs);
                let member = |index| (format!("[{index}]"), (**element).clone(), index * size);
                (0..u64::from(*length)).map(member).collect()
            }
            _ => Vec::new(),
        };
        let spelled = spell(ty, self.module);
        let inner = text.strip_prefix('{').and_then(|text| text.strip_suffix('}'));
        let Some(inner) = inner else {
            return self.wrong(text, format!("a `{spelled}` is written as a list: `{{1, 2}}`"));
        };
        let items = self.items(inner)?;
        if items.len() != members.len() {
            let names: Vec<&str> =
                members.iter().map(|(name, ..)| name.trim_start_matches('.')).collect();
            let message = format!(
                "`{spelled}` has {} ({}), {} given",
                counted(members.len() as u64, "member"),
                names.join(", "),
                items.len()
            );
            return self.wrong(text, message);
        }
        let mut bytes = vec![0; ty.size(structs) as usize];
        for (item, (path, ty, offset)) in items.into_iter().zip(members) {
            let value = self.value(item, &ty, &format!("{name}{path}"))?;
            let at = offset as usize;
            bytes[at..at + value.len()].copy_from_slice(&value);
        }
        Ok(bytes)
    }

    /// The items of a list, which may contain lists.
    fn items(&self, inner: &'a str) -> Result<Vec<&'a str>> {
        let (mut items, mut depth, mut start) = (Vec::new(), 0u32, 0);
        for (at, c) in inner.char_indices() {
            match c {
                '{' => depth += 1,
                '}' if depth == 0 => return self.wrong(&inner[at..at + 1], "`}` without a `{`"),
                '}' => depth -= 1,
                ',' if depth == 0 => {
                    items.push(&inner[start..at]);
                    start = at + 1;
                }
                _ => {}
            }
        }
        if depth > 0 {
            return self.wrong(inner, "`{` without a `}`");
        }
        if !inner[start..].trim().is_empty() || !items.is_empty() {
            items.push(&inner[start..]);
        }
        Ok(items)
    }

    /// A number, as the bits of its type.
    fn number(&self, text: &str, scalar: Scalar) -> Result<[u8; 8]> {
        match parse_number(text, scalar) {
            Some(bits) => Ok(bits),
            None if text.is_empty() => {
                self.wrong(text, format!("a `{}` is missing", scalar.name()))
            }
            None => {
                let form = if text.contains(':') { "; generators are for pointers" } else { "" };
                self.wrong(text, format!("`{text}` is no `{}`{form}", scalar.name()))
            }
        }
    }

    /// The address of a buffer.
    fn pointer(&mut self, text: &'a str, to: &Type, name: &str) -> Result<u32> {
        if is_null(text) {
            return Ok(0);
        }
        let Some((form, rest)) = text.split_once(':') else {
            return self.wrong(text, format!("`{text}` is no buffer; {FORMS}"));
        };
        let (mut layout, shape, bytes) = match form {
            "npy" | "raw" | "text" => self.file(form, rest, to)?,
            _ => self.generated(form, rest, to)?,
        };
        // An array's rows are elements too.
        if layout.stride == 0 {
            layout.stride = 1;
        }
        let count = bytes.len() / layout.stride;
        let address = match self.gpu.allocate(&bytes) {
            Ok(address) => address,
            Err(error) => return self.wrong(text, error.to_string()),
        };
        self.made.push(Made { name: name.to_owned(), address, layout, count, shape });
        Ok(address)
    }

    /// The elements of a buffer: of the parameter's target type, or of that in `type=`.
    fn layout(&self, part: &str, to: &Type, given: Option<&str>) -> Result<Layout> {
        let spelled = spell(to, self.module);
        let wanted = match to {
            Type::Void => None,
            to => parts(to, &self.module.structs),
        };
        let named = given.map(|name| match scalar_named(name) {
            Some(scalar) => Ok(Layout::scalar(scalar)),
            None => {
                let known = Scalar::ALL.iter().map(|row| row.1);
                let near = hint(name, known);
                self.wrong(name, format!("unknown type `{name}`{near}"))
            }
        });
        match (named, wanted) {
            (Some(named), None) => named,
            (None, Some(parts)) => {
                let stride = to.size(&self.module.structs) as usize;
                Ok(Layout { stride, parts, name: spelled })
            }
            (Some(named), Some(parts)) => {
                let named = named?;
                let stride = to.size(&self.module.structs) as usize;
                let layout = Layout { stride, parts, name: spelled };
                match (layout.uniform(), named.uniform()) {
                    (Some(own), Some(given)) if !own.agrees(given) => {
                        let (own, given) = (&layout.name, given.name());
                        self.wrong(part, format!("the elements are `{own}`, not `{given}`"))
                    }
                    _ => Ok(layout),
                }
            }
            (None, None) => self.wrong(
                part,
                format!(
                    "a `{spelled} *` may point to anything: say the elements' type, `type=float`"
                ),
            ),
        }
    }

    fn generated(&mut self, form: &'a str, rest: &'a str, to: &Type) -> Result<Buffered> {
        let known: &[&str] = match form {
            "zeros" => &["type"],
            "fill" => &["value", "type"],
            "iota" => &["start", "step", "type"],
            "random" => &["seed", "min", "max", "type"],
            _ => {
                let forms = ["zeros", "fill", "iota", "random", "npy", "raw", "text"];
                let near = hint(form, forms);
                return self.wrong(form, format!("unknown form `{form}`{near}; {FORMS}"));
            }
        };
        let mut pieces = rest.split(':');
        let count = pieces.next().unwrap_or("");
        let Some(count) = parse_count(count) else {
            return self.wrong(count, "a number of elements is expected here, like `zeros:1024`");
        };
        let mut options: Vec<(&str, &'a str)> = Vec::new();
        for piece in pieces {
            let (key, value) = match piece.split_once('=') {
                Some((key, value)) if known.contains(&key) => (key, value),
                Some((key, _)) => {
                    let near = hint(key, known.iter().copied());
                    let message =
                        format!("`{form}` has no option `{key}`{near}: {}", known.join(", "));
                    return self.wrong(key, message);
                }
                None => {
                    return self.wrong(piece, format!("expected KEY=VALUE: {}", known.join(", ")));
                }
            };
            options.push((key, value));
        }
        let option =
            |key: &str| options.iter().rev().find(|found| found.0 == key).map(|found| found.1);
        let layout = self.layout(form, to, option("type"))?;
        let total = (layout.stride as u64).saturating_mul(count as u64);
        if total > u64::from(reconverge::host::memory::DEVICE_CAPACITY) {
            return self.wrong(rest, format!("{total} bytes do not fit device memory"));
        }
        let mut bytes = vec![0; total as usize];
        if form == "zeros" {
            return Ok((layout, None, bytes));
        }
        let mut sources = Vec::new();
        for part in &layout.parts {
            sources.push(match part.ty {
                Ok(scalar) => Some(self.source(form, scalar, &option)?),
                Err(_) => None,
            });
        }
        let seed = match option("seed") {
            None => self.index as u64,
            Some(text) => match text.parse() {
                Ok(seed) => seed,
                Err(_) => return self.wrong(text, "a seed is a number from 0 on"),
            },
        };
        let mut random = SplitMix(seed);
        let mut number = 0u64;
        for element in bytes.chunks_exact_mut(layout.stride.max(1)) {
            for (part, source) in layout.parts.iter().zip(&sources) {
                if let (Ok(scalar), Some(source)) = (&part.ty, source) {
                    let bits = source.bits(*scalar, number, &mut random);
                    let size = scalar.bytes();
                    element[part.offset..part.offset + size].copy_from_slice(&bits[..size]);
                    number += 1;
                }
            }
        }
        Ok((layout, None, bytes))
    }

    fn source(
        &self,
        form: &str,
        scalar: Scalar,
        option: &dyn Fn(&str) -> Option<&'a str>,
    ) -> Result<Generator> {
        let read = |key: &str, otherwise: &'static str| -> Result<(i128, f64)> {
            let text = option(key).unwrap_or(otherwise);
            self.number(text, scalar)?;
            // A number that the type can hold is one of both or a truth.
            let whole = parse_whole(text).unwrap_or(i128::from(text == "true"));
            Ok((whole, parse_float(text).unwrap_or(whole as f64)))
        };
        Ok(match form {
            "fill" => {
                let value = read("value", "0")?;
                Generator::Steps { start: value, step: (0, 0.0) }
            }
            "iota" => Generator::Steps { start: read("start", "0")?, step: read("step", "1")? },
            _ => {
                let most = if scalar.is_float() || scalar == Scalar::Bool { "1" } else { "99" };
                let (min, max) = (read("min", "0")?, read("max", most)?);
                if min.1 > max.1 {
                    let text = option("max").or(option("min")).unwrap_or(self.text);
                    return self.wrong(text, format!("min is {}, more than max, {}", min.1, max.1));
                }
                Generator::Random { min, max }
            }
        })
    }

    fn file(&mut self, form: &str, rest: &'a str, to: &Type) -> Result<Buffered> {
        let (path, given) = match rest.rsplit_once(":type=") {
            Some((path, given)) => (path, Some(given)),
            None => (rest, None),
        };
        if let Files::Refused(why) = self.files {
            return self.wrong(path, why);
        }
        let data = match std::fs::read(Path::new(path)) {
            Ok(data) => data,
            Err(error) => return self.wrong(path, format!("cannot read `{path}`: {error}")),
        };
        if form == "npy" {
            return self.array(path, given, to, &data);
        }
        let layout =
            self.layout(path, to, given.or((form == "raw" && *to == Type::Void).then_some("u8")))?;
        let stride = layout.stride.max(1);
        if form == "raw" {
            if !data.len().is_multiple_of(stride) {
                let (held, name) = (data.len(), &layout.name);
                let message =
                    format!("`{path}` has {held} bytes, no multiple of the {stride} of a `{name}`");
                return self.wrong(path, message);
            }
            return Ok((layout, None, data));
        }
        let Ok(text) = String::from_utf8(data) else {
            return self.wrong(path, format!("`{path}` is no text"));
        };
        let bytes = match numbers(&text, &layout) {
            Ok(bytes) => bytes,
            Err(message) => return self.wrong(path, format!("`{path}`: {message}")),
        };
        Ok((layout, None, bytes))
    }

    fn array(&self, path: &str, given: Option<&str>, to: &Type, data: &[u8]) -> Result<Buffered> {
        let array = match npy::read(data) {
            Ok(array) => array,
            Err(message) => return self.wrong(path, format!("`{path}`: {message}")),
        };
        if *to == Type::Void && given.is_none() {
            return Ok((Layout::scalar(array.scalar), Some(array.shape), array.bytes));
        }
        let layout = self.layout(path, to, given)?;
        let Some(scalar) = layout.uniform() else {
            let message = format!("a `{}` is no array of one type; use `raw:FILE`", layout.name);
            return self.wrong(path, message);
        };
        if scalar != array.scalar {
            let (held, wanted) = (array.scalar.name(), scalar.name());
            let descr = Scalar::ALL[scalar as usize].2.trim_start_matches(['<', '|']);
            let message = format!(
                "`{path}` holds `{held}`, the parameter wants `{wanted}`: save `a.astype('{descr}')`"
            );
            return self.wrong(path, message);
        }
        let each = layout.parts.len();
        if each > 1 && array.shape.last() != Some(&each) {
            let message = format!(
                "`{path}` has the shape {:?}, but the last extent of an array of `{}` is {each}",
                array.shape, layout.name
            );
            return self.wrong(path, message);
        }
        Ok((layout, Some(array.shape), array.bytes))
    }
}

fn is_null(text: &str) -> bool {
    matches!(text, "null" | "NULL" | "nullptr")
}

/// Appends a value to others, where its alignment allows.
pub fn append(bytes: &mut Vec<u8>, value: &[u8], align: usize) {
    bytes.resize(bytes.len().next_multiple_of(align), 0);
    bytes.extend(value);
}

/// The element type of a buffer, its shape, and its bytes.
type Buffered = (Layout, Option<Vec<usize>>, Vec<u8>);

const FORMS: &str = "a buffer is `zeros:N`, `fill:N:value=V`, `iota:N`, `random:N`, `npy:FILE`, \
                     `raw:FILE`, `text:FILE` or `null`";

/// The numbers of a text, separated by blanks or commas, as elements.
fn numbers(text: &str, layout: &Layout) -> std::result::Result<Vec<u8>, String> {
    let words = text.lines().zip(1..).flat_map(|(line, number)| {
        let words = line.split(|c: char| c.is_whitespace() || c == ',');
        words.filter(|word| !word.is_empty()).map(move |word| (word, number))
    });
    let mut bytes = Vec::new();
    let mut parts = layout.parts.iter().cycle();
    let mut count = 0;
    for (word, line) in words {
        let Some(part) = parts.next() else {
            break;
        };
        let Ok(scalar) = part.ty else {
            return Err(format!("a `{}` has pointers, which no text holds", layout.name));
        };
        let Some(bits) = parse_number(word, scalar) else {
            return Err(format!("line {line}: `{word}` is no `{}`", scalar.name()));
        };
        if count % layout.parts.len() == 0 {
            bytes.resize(bytes.len() + layout.stride, 0);
        }
        let at = bytes.len() - layout.stride + part.offset;
        bytes[at..at + scalar.bytes()].copy_from_slice(&bits[..scalar.bytes()]);
        count += 1;
    }
    match count % layout.parts.len().max(1) {
        0 => Ok(bytes),
        _ => Err(format!(
            "{count} numbers are no multiple of the {} of a `{}`",
            layout.parts.len(),
            layout.name
        )),
    }
}

/// The source of generated numbers; as whole numbers and as others.
enum Generator {
    Steps { start: (i128, f64), step: (i128, f64) },
    Random { min: (i128, f64), max: (i128, f64) },
}

impl Generator {
    fn bits(&self, scalar: Scalar, number: u64, random: &mut SplitMix) -> [u8; 8] {
        if scalar.is_float() {
            let value = match self {
                Generator::Steps { start, step } => start.1 + step.1 * number as f64,
                Generator::Random { min, max } => min.1 + (max.1 - min.1) * random.unit(),
            };
            return float_bits(value, scalar);
        }
        let value = match self {
            Generator::Steps { start, step } => {
                start.0.wrapping_add(step.0.wrapping_mul(number.into()))
            }
            Generator::Random { min, max } => {
                let span = (max.0 - min.0 + 1) as u128;
                // The upper part of a product is as even as 64 bits allow.
                min.0 + ((u128::from(random.next()) * span) >> 64) as i128
            }
        };
        match scalar {
            Scalar::Bool => [u8::from(value != 0), 0, 0, 0, 0, 0, 0, 0],
            _ => (value as u64).to_le_bytes(),
        }
    }
}

/// Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators", 2014.
struct SplitMix(u64);

impl SplitMix {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// From 0 to below 1.
    fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }
}

fn float_bits(value: f64, scalar: Scalar) -> [u8; 8] {
    match scalar {
        Scalar::F32 => u64::from((value as f32).to_bits()).to_le_bytes(),
        _ => value.to_le_bytes(),
    }
}

fn parse_count(text: &str) -> Option<usize> {
    usize::try_from(parse_whole(text)?).ok()
}

fn parse_whole(text: &str) -> Option<i128> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let value = match digits.strip_prefix("0x").or(digits.strip_prefix("0X")) {
        Some(digits) => u64::from_str_radix(digits, 16).ok()?,
        None if digits.starts_with(|c: char| c.is_ascii_digit()) => digits.parse().ok()?,
        None => return None,
    };
    let value = i128::from(value);
    Some(if negative { -value } else { value })
}

fn parse_float(text: &str) -> Option<f64> {
    let plain = text
        .strip_suffix(['f', 'F'])
        .filter(|rest| rest.ends_with(|c: char| c.is_ascii_digit() || c == '.'));
    plain.unwrap_or(text).parse().ok()
}

/// The bits of a number that its type can hold.
fn parse_number(text: &str, scalar: Scalar) -> Option<[u8; 8]> {
    if scalar.is_float() {
        return match parse_whole(text) {
            Some(whole) => Some(float_bits(whole as f64, scalar)),
            None => parse_float(text).map(|value| float_bits(value, scalar)),
        };
    }
    let value = match text {
        "true" if scalar == Scalar::Bool => 1,
        "false" if scalar == Scalar::Bool => 0,
        text => parse_whole(text)?,
    };
    let bits = 8 * scalar.bytes() as u32;
    let range = match scalar {
        Scalar::Bool => 0..=1,
        Scalar::I8 | Scalar::I16 | Scalar::I32 | Scalar::I64 => {
            -(1i128 << (bits - 1))..=(1 << (bits - 1)) - 1
        }
        _ => 0..=(1i128 << bits) - 1,
    };
    range.contains(&value).then(|| (value as u64).to_le_bytes())
}

/// A type by its name in C, in Rust, in NumPy, or in the IR and assembly.
fn scalar_named(name: &str) -> Option<Scalar> {
    let row = Scalar::ALL.iter().find(|(scalar, c, descr)| {
        let rust = format!("{scalar:?}").to_lowercase();
        *c == name || rust == name || &descr[1..] == name
    });
    row.map(|row| row.0).or(match name {
        "uchar" => Some(Scalar::U8),
        "ushort" => Some(Scalar::U16),
        "uint" | "unsigned" | "b32" => Some(Scalar::U32),
        "long" | "s64" => Some(Scalar::I64),
        "ulong" | "unsigned long" | "b64" => Some(Scalar::U64),
        "s8" | "signed char" => Some(Scalar::I8),
        "s16" => Some(Scalar::I16),
        "s32" => Some(Scalar::I32),
        "pred" => Some(Scalar::Bool),
        _ => None,
    })
}

impl From<Error> for Wrong {
    fn from(error: Error) -> Wrong {
        Wrong { start: 0, length: 0, message: error.to_string() }
    }
}
