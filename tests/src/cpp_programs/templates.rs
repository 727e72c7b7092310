//! Class templates with partial and explicit specialisations, deduced types, and member templates.

use super::world::World;

/// A pattern over the parameters `T` and `U` of a partial specialisation.
fn pattern(world: &mut World, depth: usize) -> String {
    let parameter = world.random.pick(&["T", "T", "U"]);
    if depth == 0 {
        return parameter.to_owned();
    }
    match world.random.below(12) {
        9 => format!("{parameter} &"),
        10 => format!("const {parameter} &"),
        11 => format!("{parameter} &&"),
        0..=2 => format!("{} *", pattern(world, depth - 1)),
        3 => format!("const {parameter}"),
        4 => format!("{parameter} [3]"),
        5 => format!("Of<{}>", pattern(world, depth - 1)),
        6 => world.sample().ty,
        7 => format!("const {parameter} *"),
        _ => parameter.to_owned(),
    }
}

/// A type as an argument of a template.
fn argument(world: &mut World, depth: usize) -> String {
    let ty = world.sample().ty;
    if depth == 0 {
        return ty;
    }
    match world.random.below(12) {
        9 => format!("{ty} &"),
        10 => format!("const {ty} &"),
        11 => format!("{ty} &&"),
        0 | 1 => format!("{} *", argument(world, depth - 1)),
        2 => format!("const {ty}"),
        3 => format!("{ty} [3]"),
        4 => format!("Of<{} >", argument(world, depth - 1)),
        5 => format!("const {ty} *"),
        6 => format!("{ty} * const"),
        _ => ty,
    }
}

/// A class template of two types.
pub fn classes(world: &mut World) {
    let name = format!("t{}", world.fresh());
    if !world.lines.iter().any(|line| line.text.contains("struct Of")) {
        world.declare("template <class T> struct Of { static const int of = 1; };");
    }
    world.declare(format!(
        "template <class T, class U = int> struct {name} {{ static const int id = 0; }};"
    ));
    let mut taken: Vec<String> = Vec::new();
    for tag in 1..2 + world.random.below(6) {
        let (first, second) = match world.random.chance(25) {
            true => (argument(world, 1), argument(world, 1)),
            false => (pattern(world, 2), pattern(world, 1)),
        };
        let text = format!("{first}, {second}");
        if taken.contains(&text) || text == "T, U" || text == "U, T" {
            continue;
        }
        taken.push(text.clone());
        let has =
            |name: &str| text.split(|letter: char| !letter.is_alphanumeric()).any(|at| at == name);
        let parameters = match (has("T"), has("U")) {
            (true, true) => "class T, class U",
            (true, false) => "class T",
            (false, true) => "class U",
            (false, false) => "",
        };
        world.declare(format!(
            "template <{parameters}> struct {name}<{text} > {{ static const int id = {tag}; }};"
        ));
    }
    for _ in 0..8 + world.random.below(6) {
        let first = argument(world, 2);
        let value = match world.random.chance(70) {
            true => format!("{name}<{first}, {} >::id", argument(world, 1)),
            false => format!("{name}<{first} >::id"),
        };
        world.probe(&value);
    }
}

/// A class template of a type and a value.
pub fn values(world: &mut World) {
    let name = format!("n{}", world.fresh());
    let of = world.random.pick(&["int", "unsigned", "bool", "char", "long"]);
    world.declare(format!(
        "template <class T, {of} N> struct {name} {{ static const int id = (int)N * 10; }};"
    ));
    let candidates = [
        ("class T, N", "T *, N", "N + 1"),
        ("class T", "T, 0", "1001"),
        ("class T", "T, 1", "1002"),
        ("class T", "T *, 1", "1003"),
        ("N", "int, N", "N + 2"),
        ("N", "const int, N", "N + 3"),
        ("", "int, 1", "1004"),
        ("", "int *, 0", "1005"),
    ];
    for (parameters, arguments, value) in candidates {
        if world.random.chance(40) {
            let parameters = parameters.replace('N', &format!("{of} N"));
            world.declare(format!(
                "template <{parameters}> struct {name}<{arguments}> {{ static const int id = {value}; }};"
            ));
        }
    }
    for _ in 0..6 + world.random.below(5) {
        let first = argument(world, 1);
        let first = if world.random.chance(40) { "int".to_owned() } else { first };
        let number =
            world.random.pick(&["0", "1", "2", "3 - 2", "sizeof(char)", "'a'", "1 < 2", "!0"]);
        world.probe(&format!("{name}<{first}, {number}>::id"));
    }
}

/// A table of types as numbers.
fn identities(world: &mut World) -> String {
    let name = format!("Id{}", world.fresh());
    world.declare(format!("template <class T> struct {name} {{ static const int id = 9; }};"));
    let types: Vec<String> = world.samples.iter().map(|of| of.ty.clone()).collect();
    for (index, ty) in types.iter().enumerate() {
        let id = 20 + index;
        world.declare(format!(
            "template <> struct {name}<{ty} > {{ static const int id = {id}; }};"
        ));
    }
    let compound = [("T *", 1), ("const T", 2), ("T &", 3), ("T &&", 4)];
    for (pattern, digit) in compound {
        world.declare(format!(
            "template <class T> struct {name}<{pattern}> {{ static const int id = {name}<T>::id * 10 + {digit}; }};"
        ));
    }
    name
}

/// Function templates that return a number of the deduced type.
pub fn deduction(world: &mut World) {
    let id = identities(world);
    let name = format!("d{}", world.fresh());
    let all = [
        ("class T", "T"),
        ("class T", "T *"),
        ("class T", "const T *"),
        ("class T", "T &"),
        ("class T", "const T &"),
        ("class T", "T &&"),
        ("class T", "T * const &"),
        ("class T, int N", "T (&)[N]"),
        ("class T, int N", "const T (&)[N]"),
    ];
    for tag in 0..2 + world.random.below(4) {
        let (head, parameter) = all[world.random.below(all.len())];
        world.declare(format!(
            "template <{head}> int {name}_{tag}({parameter}) {{ return {id}<T>::id; }}"
        ));
        for _ in 0..4 {
            let argument = world.argument();
            world.probe(&format!("{name}_{tag}({argument})"));
        }
    }
    for _ in 0..5 {
        let (left, right) = (world.argument(), world.argument());
        let operator = world.random.pick(&["+", "-", "*", "|", "&", "<", "&&", ","]);
        world.probe(&format!("{id}<decltype({left} {operator} {right})>::id"));
        let condition = world.argument();
        let local = format!(
            "auto a = {condition} ? {left} : {right}; printf(\"%d\\n\", {id}<decltype(a)>::id);"
        );
        world.block(&local);
    }
}

/// Members of templates that are templates, and types named through them.
pub fn nested(world: &mut World) {
    let name = format!("H{}", world.fresh());
    let fixed = world.sample().ty;
    world.declare(format!(
        "template <class T> struct {name} {{ typedef T type; typedef T *pointer; \
         template <class U> struct In {{ static const int id = sizeof(T) * 100 + sizeof(U); U u; }}; \
         struct Plain {{ T t; int n; int twice() {{ return 2 * n; }} }}; \
         enum {{ size = sizeof(T) }}; \
         template <class U> static int as(U) {{ return sizeof(U) + 1000; }} \
         static int count(T *) {{ return 1; }} static int count(const void *) {{ return 2; }} }};"
    ));
    world.declare(format!(
        "template <> struct {name}<{fixed} > {{ typedef int type; typedef char pointer; \
         template <class U> struct In {{ static const int id = 77; U u; }}; \
         struct Plain {{ int n; int twice() {{ return 3 * n; }} }}; enum {{ size = 5 }}; \
         template <class U> static int as(U) {{ return 78; }} \
         static int count(long) {{ return 3; }} }};"
    ));
    let caller = format!("h{}", world.fresh());
    world.caller(format!(
        "template <class T> int {caller}(T) {{ typedef typename {name}<T>::type inner; \
         typename {name}<T>::Plain plain; plain.n = 4; \
         return plain.twice() + sizeof(inner) * 100 + sizeof(typename {name}<T>::pointer) * 10; }}"
    ));
    world.caller(format!(
        "template <class T, class U> int {caller}_in() {{ \
         return {name}<T>::template In<U>::id + {name}<U>::size; }}"
    ));
    for _ in 0..7 {
        let (first, second) = (argument(world, 1), argument(world, 1));
        let value = world.argument();
        let text = match world.random.below(6) {
            0 => format!("{caller}({value})"),
            1 => format!("{caller}_in<{first}, {second} >()"),
            2 => format!("{name}<{first} >::In<{second} >::id"),
            3 => format!("{name}<{first} >::as({value})"),
            4 => format!("{name}<{first} >::count({value})"),
            _ => format!("sizeof({name}<{first} >::Plain) + {name}<{first} >::size"),
        };
        world.probe(&text);
    }
}

/// Variables and function templates with explicit specialisations.
pub fn specialised(world: &mut World) {
    let name = format!("x{}", world.fresh());
    world.declare(format!("template <class T> int {name}(T) {{ return 1; }}"));
    if world.random.chance(40) {
        world.declare(format!("template <class T> int {name}(T *) {{ return 2; }}"));
    }
    let mut taken = Vec::new();
    for tag in 3..5 + world.random.below(3) {
        let ty = argument(world, 1);
        let is_plain = !["const", "[", "&"].iter().any(|mark| ty.contains(mark));
        if is_plain && !taken.contains(&ty) {
            world.declare(format!("template <> int {name}({ty}) {{ return {tag}; }}"));
            taken.push(ty);
        }
    }
    world.declare(format!("template <class T> constexpr int {name}_v = sizeof(T);"));
    let special = world.sample().ty;
    world.declare(format!("template <> constexpr int {name}_v<{special} > = 99;"));
    for _ in 0..6 {
        let value = world.argument();
        world.probe(&format!("{name}({value})"));
        let ty = world.sample().ty;
        world.probe(&format!("{name}_v<{ty} > + {name}<{ty} >({value})"));
    }
}
