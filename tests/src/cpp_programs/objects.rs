//! Lives of objects, references, lambdas and statements of C++.

use super::world::World;

/// A class that prints when it is made, copied and destroyed, with uses.
pub fn lives(world: &mut World) {
    let name = format!("L{}", world.fresh());
    let moves = match world.random.chance(40) {
        true => format!("{name}({name} &&o) : v(o.v) {{ o.v = -1; printf(\"m%d \", v); }} "),
        false => String::new(),
    };
    let assigns = match world.random.chance(50) {
        true => format!(
            "{name} &operator=(const {name} &o) {{ v = o.v + 1; printf(\"=%d \", v); return *this; }} "
        ),
        false if moves.is_empty() => String::new(),
        false => format!("{name} &operator=(const {name} &o) {{ v = o.v; return *this; }} "),
    };
    world.declare(format!(
        "struct {name} {{ int v; {name}(int n = 1) : v(n) {{ printf(\"+%d \", v); }} \
         {name}(const {name} &o) : v(o.v) {{ printf(\"c%d \", v); }} {moves}{assigns}\
         ~{name}() {{ printf(\"-%d \", v); }} {name} next() const {{ return {name}(v + 1); }} \
         {name} &self() {{ v += 10; return *this; }} }};"
    ));
    let holder = format!("{name}h");
    world.declare(format!("struct {holder} {{ {name} a; int n; {name} b; {holder}(int k) : a(k), n(k), b(k + 1) {{}} }};"));
    world.declare(format!("{name} {name}_make(int n) {{ {name} l(n); l.v *= 2; return l; }}"));
    world.declare(format!("int {name}_take({name} l) {{ return l.v; }}"));
    world.declare(format!("int {name}_see(const {name} &l) {{ return l.v; }}"));
    let uses = [
        "X a(3); X b = a; b.v = 7; a = b;",
        "X a[3]; a[1] = X(5);",
        "X a = X_make(4); int t = X_take(a); printf(\"%d \", t);",
        "printf(\"%d \", X_see(X(2)));",
        "printf(\"%d \", X_see(9));",
        "const X &r = X_make(6); printf(\"r%d \", r.v);",
        "for (int i = 0; i < 3; i++) { X a(i); if (i == 1) continue; printf(\"i \"); }",
        "X a(1); { X b(2); goto end; } end: printf(\"e \");",
        "Xh h(3); Xh g = h; g.a = h.b;",
        "X a(1); X &r = a.self().self(); r.v++; printf(\"%d \", a.v);",
        "X a = X(1).next().next(); printf(\"%d \", a.v);",
        "X *p = new X(8); delete p;",
        "X *p = new X[2]; delete[] p;",
        "X a(4); auto f = [a] { return a.v; }; printf(\"%d \", f());",
        "X a(4); auto f = [&a](int n) { a.v += n; return a; }; printf(\"%d \", f(2).v);",
        "switch (X(2).v) { case 2: { X a(5); break; } default: printf(\"d \"); }",
        "X a(1), b(2); X c = a.v < b.v ? a : b; printf(\"%d \", c.v);",
        "while (X(1).v != 1) { } do { X a(2); } while (X(0).v);",
        "X a{5}; X b = {6}; X c = 7;",
        "static X a(3); a.v++;",
        "X a(2); X b(static_cast<X &&>(a)); printf(\"%d \", b.v);",
    ];
    for _ in 0..7 {
        let text = world.random.pick(&uses).replace('X', &name);
        world.block(&format!("{text} printf(\"\\n\");"));
    }
}

/// References as variables, parameters, results and members.
pub fn references(world: &mut World) {
    let number = world.fresh();
    let name = format!("g{number}");
    let (a, b) = (world.sample(), world.sample());
    world.declare(format!("int &{name}_at(int *a, int i) {{ return a[i]; }}"));
    world.declare(format!(
        "const int &{name}_max(const int &a, const int &b) {{ return a < b ? b : a; }}"
    ));
    world.declare(format!("template <class T> T &{name}_id(T &t) {{ return t; }}"));
    world.declare(format!(
        "template <class T> void {name}_swap(T &a, T &b) {{ T t = a; a = b; b = t; }}"
    ));
    for (tag, parameter) in [(1, "&"), (2, "const &"), (3, "&&")].iter() {
        if world.random.chance(70) {
            world.declare(format!("int {name}_kind({} {parameter}) {{ return {tag}; }}", a.ty));
        }
    }
    let uses = [
        "int a[3] = {1, 2, 3}; G_at(a, 1) = 9; G_at(a, 0)++; printf(\"%d %d\\n\", a[0], a[1]);",
        "int x = 3, y = 4; G_swap(x, y); int &r = G_id(x); r += 10; printf(\"%d %d\\n\", x, y);",
        "int x = 3; const int &r = x; x = 5; printf(\"%d\\n\", r);",
        "int x = 3; const long &r = x; x = 5; printf(\"%d\\n\", (int)r);",
        "int x = 3; const int &r = G_max(x, 2); x = 8; printf(\"%d\\n\", r);",
        "printf(\"%d\\n\", G_max(G_max(3, 9), 4));",
        "int x = 1; auto &r = x; auto s = r; r = 2; printf(\"%d %d\\n\", x, s);",
        "int x = 1; auto &&r = x; r = 7; auto &&t = 5; t += x; printf(\"%d %d\\n\", x, t);",
        "int x = 1, *p = &x; int *&q = p; int y = 2; q = &y; printf(\"%d\\n\", *p);",
        "int a[2] = {1, 2}; int (&r)[2] = a; r[1] = 5; printf(\"%d %d\\n\", a[1], (int)(sizeof r));",
        "int a[3] = {4, 5, 6}; for (int &x : a) x *= 2; for (auto x : a) x = 0; printf(\"%d\\n\", a[2]);",
        "int x = 1; int &r = x; int &s = r; s = 4; int *p = &r; *p += 1; printf(\"%d\\n\", x);",
        "int x = 2, y = 3; (x > y ? x : y) = 9; printf(\"%d %d\\n\", x, y);",
        "int x = 2; (x += 3) *= 2; ++++x; printf(\"%d\\n\", x);",
        "int x = 2; int &&r = static_cast<int &&>(x); r = 5; printf(\"%d\\n\", x);",
        "int x = 2; decltype(x) y = x; decltype((x)) z = x; z = 8; printf(\"%d %d\\n\", x, y);",
    ];
    for _ in 0..7 {
        let text = world.random.pick(&uses).replace("G_", &format!("{name}_"));
        world.block(&text);
    }
    for value in [&a.make, &a.variable, &a.constant, &b.make, &b.variable] {
        world.probe(&format!("{name}_kind({value})"));
    }
    world.probe(&format!("{name}_kind(static_cast<{} &&>({}))", a.ty, a.variable));
}

/// Lambdas with captures, parameters and results of many kinds.
pub fn lambdas(world: &mut World) {
    let number = world.fresh();
    let name = format!("k{number}");
    world.declare(format!(
        "template <class F> int {name}_apply(F f, int n) {{ return f(n) + f(n + 1); }}"
    ));
    world.declare(format!("template <class F> int {name}_see(const F &f) {{ return f(); }}"));
    world.declare(format!(
        "inline auto {name}_adder(int k) {{ return [k](int n) {{ return n + k; }}; }}"
    ));
    let sample = world.sample();
    let uses = [
        "int s = 0; auto f = [&](int n) { s += n; return s; }; f(2); f(3); printf(\"%d\\n\", s);",
        "int s = 1; auto f = [=]() mutable { return ++s; }; f(); auto g = f; f(); int x = f(), y = g(); printf(\"%d %d %d\\n\", x, y, s);",
        "int a = 2, b = 3; auto f = [a, &b](int n) { b += n; return a * b; }; a = 100; int x = f(1); printf(\"%d %d\\n\", x, b);",
        "auto f = [x = 5, y = 2.5](auto z) { return x * y + z; }; printf(\"%d %d\\n\", (int)f(1), (int)f(1.5f));",
        "auto f = [](auto a, auto b) { return a < b ? b : a; }; printf(\"%d %d\\n\", f(1, 2), (int)f(2.5, 1));",
        "printf(\"%d\\n\", K_apply([](int n) { return n * n; }, 3));",
        "int s = 0; K_apply([&s](int n) { return s += n; }, 3); printf(\"%d\\n\", s);",
        "auto f = K_adder(5); auto g = K_adder(7); printf(\"%d %d\\n\", f(1), g(1));",
        "auto f = [](int n) -> long { return n; }; printf(\"%d %d\\n\", (int)sizeof(f(1)), (int)f(3));",
        "auto f = [](int n) { auto g = [n](int m) { return n - m; }; return g(2) * g(3); }; printf(\"%d\\n\", f(10));",
        "int n = 4; printf(\"%d\\n\", [n] { return n + 1; }());",
        "int a[3] = {3, 1, 2}; auto f = [a](int i) { return a[i]; }; a[1] = 9; printf(\"%d\\n\", f(1));",
        "int n = 4; auto f = [&n]() -> int & { return n; }; f() = 6; printf(\"%d\\n\", n);",
        "int n = 1; auto f = [n]() { return n; }; n = 2; printf(\"%d %d\\n\", K_see(f), K_see([&] { return n; }));",
        "auto f = [](const SAMPLE &s) { return (int)sizeof(s); }; printf(\"%d\\n\", f(VALUE));",
        "auto f = [v = VALUE]() { return (int)sizeof v; }; printf(\"%d\\n\", f());",
        "auto f = [](auto v) { return (int)sizeof v; }; printf(\"%d %d\\n\", f(VALUE), f('c'));",
    ];
    for _ in 0..9 {
        let text = world.random.pick(&uses).replace("K_", &format!("{name}_"));
        let text = text.replace("SAMPLE", &sample.ty).replace("VALUE", &sample.make);
        world.block(&text);
    }
}

/// Enumerations in arithmetic, comparisons, `switch`, bit-fields and casts.
pub fn enumerations(world: &mut World) {
    let number = world.fresh();
    let name = format!("N{number}");
    let under = world.random.pick(&["", " : unsigned char", " : long", " : unsigned", " : short"]);
    let first = world.random.below(200) as i64 - if under.contains("uns") { 0 } else { 100 };
    let scoped = if world.random.chance(40) { "class " } else { "" };
    world.declare(format!("enum {scoped}{name}{under} {{ one = {first}, two, three = one + 5 }};"));
    world.declare(format!("struct {name}_h {{ {name} e : 5; {name} f; }};"));
    world.declare(format!(
        "template <{name} E> struct {name}_t {{ static const int id = (int)E; }};"
    ));
    world.declare(format!(
        "template <> struct {name}_t<{name}::two> {{ static const int id = 4444; }};"
    ));
    for (tag, ty) in
        [(1, name.as_str()), (2, "int"), (3, "unsigned"), (4, "long"), (5, "bool"), (6, "double")]
    {
        if world.random.chance(50) {
            world.declare(format!("int {name}_o({ty}) {{ return {tag}; }}"));
        }
    }
    let uses = [
        "N_o(N::one)",
        "N_o(N::one + N::two)",
        "N_o(N::one + 1)",
        "N_o(-N::two)",
        "N_o(!N::two)",
        "N_o(~N::two)",
        "N_o(N::one < N::two)",
        "N_o(1 ? N::one : N::two)",
        "N_o(1 ? N::one : 0)",
        "N_o((N)3)",
        "N_o(N(2))",
        "N_o(static_cast<N>(2.9))",
        "N::three == N::two",
        "N::three > N::two",
        "N::one == 5",
        "(int)N::three",
        "N_t<N::one>::id",
        "N_t<N::two>::id",
        "N_t<(N)2>::id",
        "sizeof(N)",
        "sizeof(N::one + 1)",
        "N::one * 2.5",
        "(unsigned char)N::three",
        "(bool)N::one",
        "sizeof(N_h)",
        "N_o(N::one | N::two)",
        "N_o({})",
        "N_o(N{})",
        "N_o(N{2})",
        "N::one ? 1 : 2",
        "N_o(true ? 'a' : N::one)",
    ];
    for _ in 0..10 {
        let text = world.random.pick(&uses).replace("N_", &format!("{name}_"));
        let text = text.replace("N::", &format!("{name}::")).replace("N{", &format!("{name}{{"));
        let text = text.replace("(N)", &format!("({name})")).replace("N(", &format!("{name}("));
        world.probe(&text.replace("<N>", &format!("<{name}>")));
    }
    world.block(&format!(
        "{name} e = {name}::two; switch (e) {{ case {name}::one: printf(\"1\\n\"); break; \
         case {name}::two: printf(\"2\\n\"); default: printf(\"d\\n\"); }}"
    ));
    world.block(&format!(
        "{name}_h h = {{{name}(3), {name}::two}}; printf(\"%d %d\\n\", (int)h.e, (int)h.f);"
    ));
}
