//! Sets of overloads: ordinary functions and templates, members, operators, and calls of them.

use super::world::World;

/// A parameter of type `ty`, decorated.
fn decorated(world: &mut World, ty: &str) -> String {
    match world.random.below(12) {
        0..=4 => ty.to_owned(),
        5 => format!("{ty} &"),
        6 | 7 => format!("const {ty} &"),
        8 => format!("{ty} &&"),
        9 => format!("{ty} *"),
        10 => format!("const {ty} *"),
        _ => format!("{ty} * const &"),
    }
}

/// The parameters of a function template with its head.
fn template(world: &mut World) -> (&'static str, String) {
    let heads: [(&'static str, &str); 13] = [
        ("template <class T> ", "T"),
        ("template <class T> ", "T *"),
        ("template <class T> ", "const T *"),
        ("template <class T> ", "T &"),
        ("template <class T> ", "const T &"),
        ("template <class T> ", "T **"),
        ("template <class T> ", "T, T"),
        ("template <class T> ", "T, int"),
        ("template <class T> ", "T *, T"),
        ("template <class T, class U> ", "T, U"),
        ("template <class T, class U> ", "T, U *"),
        ("template <class T, class U> ", "const T &, U &"),
        ("template <class T, int N> ", "T (&)[N]"),
    ];
    let (head, parameters) = heads[world.random.below(heads.len())];
    (head, parameters.to_owned())
}

/// A set of functions of one name, with calls.
pub fn functions(world: &mut World) {
    let name = format!("f{}", world.fresh());
    let mut taken: Vec<String> = Vec::new();
    let templates = world.random.chance(50);
    for tag in 1..3 + world.random.below(5) {
        let (head, parameters) = if templates && world.random.chance(45) {
            template(world)
        } else {
            ("", ordinary(world))
        };
        let key = format!("{head}{parameters}").replace(" = 0", "");
        if taken.contains(&key) {
            continue;
        }
        taken.push(key);
        world.declare(format!("{head}int {name}({parameters}) {{ return {tag}; }}"));
    }
    for _ in 0..6 + world.random.below(6) {
        let first = world.argument();
        let call = match world.random.chance(35) {
            true => format!("{name}({first}, {})", world.argument()),
            false => format!("{name}({first})"),
        };
        world.probe(&call);
    }
}

fn ordinary(world: &mut World) -> String {
    let first = world.sample().ty;
    let mut parameters = decorated(world, &first);
    match world.random.below(6) {
        0 => {
            let second = world.sample().ty;
            parameters += ", ";
            parameters += &decorated(world, &second);
        }
        1 => parameters += ", int = 0",
        _ => {}
    }
    parameters
}

/// A class with overloaded members, static and constant ones among them, and calls.
pub fn members(world: &mut World) {
    let name = format!("M{}", world.fresh());
    let mut text = format!("struct {name} {{ int v; {name}(int n = 3) : v(n) {{}} ");
    let mut taken: Vec<String> = Vec::new();
    for tag in 1..3 + world.random.below(5) {
        let parameter = ordinary(world);
        let key = parameter.replace(", int = 0", "");
        let is_template = world.random.chance(20);
        let key = if is_template { "T".to_owned() } else { key };
        let constant = if world.random.chance(50) { " const" } else { "" };
        let key = key + constant;
        if taken.contains(&key) {
            continue;
        }
        taken.push(key);
        let (head, parameter) = match is_template {
            true => ("template <class T> ", "T".to_owned()),
            false => ("", parameter),
        };
        text += &format!("{head}int m({parameter}){constant} {{ return {tag} + v; }} ");
    }
    for (index, operator) in ["operator()", "operator[]", "operator+"].iter().enumerate() {
        if world.random.chance(50) {
            let of = world.sample().ty;
            let of = decorated(world, &of);
            let tag = 40 + index;
            text += &format!("int {operator}({of}) const {{ return {tag}; }} ");
        }
        if world.random.chance(30) {
            let of = world.sample().ty;
            let tag = 50 + index;
            text += &format!("int {operator}({of} **) {{ return {tag}; }} ");
        }
    }
    world.declare(text + "};");
    let object = format!("o{}", world.fresh());
    world.declare(format!("static {name} {object}(5);"));
    world.declare(format!("static const {name} k{object}(7);"));
    calls(world, &object);
}

fn calls(world: &mut World, object: &str) {
    for _ in 0..6 + world.random.below(5) {
        let constant = if world.random.chance(40) { "k" } else { "" };
        let argument = world.argument();
        let value = match world.random.below(8) {
            0 => format!("{constant}{object}({argument})"),
            1 => format!("{constant}{object}[{argument}]"),
            2 => format!("{constant}{object} + {argument}"),
            3 => format!("(&{constant}{object})->m({argument})"),
            _ => format!("{constant}{object}.m({argument})"),
        };
        world.probe(&value);
    }
}

/// Free operators on classes and enumerations, with uses.
pub fn operators(world: &mut World) {
    let owner = world.classes[world.random.below(world.classes.len())].clone();
    let operator = world.random.pick(&["+", "-", "*", "==", "<", "|", "&", "^", "%"]);
    let mut taken: Vec<String> = Vec::new();
    for tag in 1..2 + world.random.below(4) {
        let other = world.sample().ty;
        let left = world.random.pick(&["", "const &", "&"]);
        let parameters = match world.random.chance(70) {
            true => format!("{owner} {left}, {}", decorated(world, &other)),
            false => format!("{}, {owner} {left}", decorated(world, &other)),
        };
        if taken.contains(&parameters) {
            continue;
        }
        taken.push(parameters.clone());
        world.declare(format!("int operator{operator}({parameters}) {{ return {tag}; }}"));
    }
    let sample = world.samples.iter().find(|of| of.ty == owner).cloned();
    let Some(sample) = sample else { return };
    for _ in 0..5 + world.random.below(4) {
        let mine = match world.random.below(3) {
            0 => &sample.make,
            1 => &sample.variable,
            _ => &sample.constant,
        };
        let other = world.argument();
        match world.random.chance(65) {
            true => world.probe(&format!("{mine} {operator} {other}")),
            false => world.probe(&format!("{other} {operator} {mine}")),
        }
    }
}
