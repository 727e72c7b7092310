//! The lines of a program under construction, and the types and values that its parts share.

use crate::generate::Random;

/// The role of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Other lines depend on it.
    Fixed,
    /// A function whose body may be invalid C++.
    Caller,
    /// A block of `main`, which may be invalid C++.
    Probe,
}

/// A line of a program.
#[derive(Clone, Debug)]
pub struct Line {
    pub text: String,
    pub role: Role,
}

/// A type with a value.
#[derive(Clone, Debug)]
pub struct Sample {
    /// The type's name.
    pub ty: String,
    /// An expression that makes a value of it.
    pub make: String,
    /// A variable of it.
    pub variable: String,
    /// A constant of it.
    pub constant: String,
}

/// Arithmetic types with a value of each.
const NUMBERS: [(&str, &str); 13] = [
    ("bool", "true"),
    ("char", "'a'"),
    ("signed char", "(signed char)3"),
    ("unsigned char", "(unsigned char)200"),
    ("short", "(short)-4"),
    ("unsigned short", "(unsigned short)5"),
    ("int", "6"),
    ("unsigned int", "7u"),
    ("long", "8l"),
    ("unsigned long", "9ul"),
    ("long long", "10ll"),
    ("float", "1.5f"),
    ("double", "2.25"),
];

/// A program under construction.
pub struct World {
    pub random: Random,
    pub lines: Vec<Line>,
    /// Types that a program may use anywhere.
    pub samples: Vec<Sample>,
    /// Classes of the program, which have a default constructor and the member `v`.
    pub classes: Vec<String>,
    count: usize,
    probes: usize,
}

impl World {
    /// A program that declares some types.
    pub fn new(seed: u64) -> World {
        let mut world = World {
            random: Random::new(seed),
            lines: Vec::new(),
            samples: Vec::new(),
            classes: Vec::new(),
            count: 0,
            probes: 0,
        };
        world.types();
        world
    }

    /// A number that no name has yet.
    pub fn fresh(&mut self) -> usize {
        self.count += 1;
        self.count
    }

    /// Adds a declaration on which other lines depend.
    pub fn declare(&mut self, text: impl Into<String>) {
        self.lines.push(Line { text: text.into(), role: Role::Fixed });
    }

    /// Adds a function that may be invalid.
    pub fn caller(&mut self, text: impl Into<String>) {
        self.lines.push(Line { text: text.into(), role: Role::Caller });
    }

    /// Adds statements to `main`, in a block of their own.
    pub fn block(&mut self, statements: &str) {
        self.probes += 1;
        let text = format!("{{ printf(\"\\np{}\\n\"); {statements} }}", self.probes);
        self.lines.push(Line { text, role: Role::Probe });
    }

    /// Adds a block that prints a number.
    pub fn probe(&mut self, value: &str) {
        self.block(&format!("printf(\"%d\\n\", (int)({value}));"));
    }

    /// A type of the program.
    pub fn sample(&mut self) -> Sample {
        let at = self.random.below(self.samples.len());
        self.samples[at].clone()
    }

    /// An argument of a call: a value, variable, constant, or the address of one.
    pub fn argument(&mut self) -> String {
        let of = self.sample();
        match self.random.below(12) {
            0..=3 => of.make,
            4..=6 => of.variable,
            7 | 8 => of.constant,
            9 => format!("&{}", of.variable),
            10 => format!("&{}", of.constant),
            _ => (self.random.pick(&["0", "'x'", "1.0", "nullptr", "\"ab\"", "1u", "2l"])).into(),
        }
    }

    fn add_type(&mut self, ty: &str, make: &str) {
        let number = self.fresh();
        self.declare(format!("static {ty} v{number} = {make};"));
        self.declare(format!("static const {ty} c{number} = {make};"));
        self.samples.push(Sample {
            ty: ty.into(),
            make: make.into(),
            variable: format!("v{number}"),
            constant: format!("c{number}"),
        });
    }

    fn types(&mut self) {
        for _ in 0..3 {
            let (ty, make) = NUMBERS[self.random.below(NUMBERS.len())];
            if self.samples.iter().all(|sample| sample.ty != ty) {
                self.add_type(ty, make);
            }
        }
        if !self.samples.iter().any(|sample| sample.ty == "int") {
            self.add_type("int", "11");
        }
        for _ in 0..1 + self.random.below(3) {
            self.enumeration();
        }
        for _ in 0..1 + self.random.below(3) {
            self.class();
        }
        if self.random.chance(60) {
            self.instances();
        }
    }

    fn enumeration(&mut self) {
        let name = format!("E{}", self.fresh());
        let under = self.random.pick(&["", "", "", " : unsigned char", " : short", " : long"]);
        let high = 2 + self.random.below(90);
        if self.random.chance(50) {
            self.declare(format!(
                "enum {name}{under} {{ {name}_a, {name}_b = {high}, {name}_c }};"
            ));
            self.add_type(&name, &format!("{name}_b"));
        } else {
            self.declare(format!("enum class {name}{under} {{ a, b = {high}, c }};"));
            self.add_type(&name, &format!("{name}::c"));
        }
    }

    fn class(&mut self) {
        let name = format!("S{}", self.fresh());
        let start = self.random.below(50);
        let mut text = format!("struct {name} {{ int v; {name}() : v({start}) {{}} ");
        let mut taken = Vec::new();
        for tag in 1..1 + self.random.below(3) {
            let from = self.sample().ty;
            if taken.contains(&from) {
                continue;
            }
            let explicit = if self.random.chance(25) { "explicit " } else { "" };
            text += &format!("{explicit}{name}({from}) : v({}) {{}} ", 100 * tag);
            taken.push(from);
        }
        if self.random.chance(30) {
            let numbers: Vec<_> =
                self.samples.iter().filter(|of| !of.ty.starts_with('S')).collect();
            let to = numbers[self.random.below(numbers.len())].clone();
            let explicit = if self.random.chance(30) { "explicit " } else { "" };
            text += &format!("{explicit}operator {}() const {{ return {}; }} ", to.ty, to.make);
        }
        self.declare(text + "};");
        self.classes.push(name.clone());
        self.add_type(&name, &format!("{name}()"));
    }

    fn instances(&mut self) {
        let name = format!("B{}", self.fresh());
        self.declare(format!(
            "template <class T> struct {name} {{ typedef T type; int v; {name}() : v(sizeof(T)) {{}} }};"
        ));
        for _ in 0..1 + self.random.below(2) {
            let mut of = self.sample().ty;
            if self.random.chance(30) {
                of += self.random.pick(&["*", "**", " const *"]);
            }
            let ty = format!("{name}<{of}>");
            if self.samples.iter().all(|sample| sample.ty != ty) {
                self.add_type(&ty, &format!("{ty}()"));
            }
        }
    }
}
