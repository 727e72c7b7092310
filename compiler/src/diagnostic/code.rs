//! The codes of diagnostics: one table, which `reconverge explain CODE` reads too.

/// The kind of a diagnostic. Every value is a constant of this module.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Code {
    id: &'static str,
    title: &'static str,
    explanation: &'static str,
}

impl Code {
    /// The code as it is written: `E0401`.
    pub fn id(self) -> &'static str {
        self.id
    }

    /// Its subject, in a few words.
    pub fn title(self) -> &'static str {
        self.title
    }

    /// Why it is a fault, with an example.
    pub fn explanation(self) -> &'static str {
        self.explanation
    }

    /// The code written `id`, in either case.
    pub fn find(id: &str) -> Option<Code> {
        ALL.iter().copied().find(|code| code.id.eq_ignore_ascii_case(id))
    }
}

macro_rules! codes {
    ($($name:ident = $id:literal $title:literal $explanation:literal;)*) => {
        $(
            #[doc = concat!("`", $id, "`: ", $title, ".")]
            pub const $name: Code = Code { id: $id, title: $title, explanation: $explanation };
        )*
        /// Every code, in the order of their numbers within a group.
        pub const ALL: &[Code] = &[$($name),*];
    };
}

codes! {
    // Preprocessor and lexer.
    STRAY_CHARACTER = "E0101" "stray character"
        "The character is not part of any C token. It often comes from a text copied out of a \
         document, such as a typographic quote or dash:\n\n    int a = 1 – 2;   // a dash, not a minus sign";
    UNTERMINATED_COMMENT = "E0102" "comment without end"
        "A `/*` comment runs to the next `*/`; the file ends before one comes. Comments do not nest.\n\n    /* a comment\n    int x;";
    UNTERMINATED_LITERAL = "E0103" "string or character without end"
        "A string or character literal ends with the quote it began with, on the same line.\n\n    printf(\"hello);";
    BAD_NUMBER = "E0104" "malformed or too large number"
        "A number has digits that its base lacks, an unknown suffix, or a value that no type holds.\n\n    int a = 09;      // 9 is not an octal digit\n    int b = 12abc;";
    BAD_CHARACTER = "E0105" "malformed character or escape"
        "A character literal holds exactly one character, and a backslash starts one of C's escapes: \
         `\\n \\t \\r \\0 \\a \\b \\f \\v \\\\ \\' \\\" \\?`, up to three octal digits, or `\\x` with hexadecimal digits.\n\n    char a = 'ab';\n    char b = '\\q';";
    BAD_DIRECTIVE = "E0107" "malformed preprocessor directive"
        "The line starts with `#`, but what follows is not a directive in its right form.\n\n    #defnie N 4\n    #include stdio.h";
    BAD_CONDITION = "E0108" "malformed preprocessor condition"
        "`#if` and `#elif` take an integer constant expression of numbers, characters, `defined` and \
         C's operators; names that are not macros count as 0.\n\n    #if N +\n    #endif";
    UNBALANCED_CONDITIONAL = "E0109" "unbalanced preprocessor conditional"
        "Every `#if`, `#ifdef` and `#ifndef` needs its `#endif`, with at most one `#else`, after every `#elif`.\n\n    #ifdef N\n    int a[N];\n    // the file ends here";
    ERROR_DIRECTIVE = "E0110" "#error"
        "The program itself refuses to compile with an `#error` directive.\n\n    #ifndef N\n    #error \"define N with -D N=...\"\n    #endif";
    BAD_MACRO_CALL = "E0111" "malformed use of a macro"
        "A function-like macro is used with as many arguments as it has parameters, and with a closing parenthesis.\n\n    #define MAX(a, b) ((a) > (b) ? (a) : (b))\n    int x = MAX(1);";
    BAD_MACRO = "E0112" "malformed macro definition"
        "A macro's parameters are distinct names; `#` stands before a parameter, `##` between two tokens \
         that form one token together.\n\n    #define F(a, a) a\n    #define G(a) #b";

    // Syntax.
    UNCLOSED = "E0201" "bracket never closed"
        "An opening bracket has no closing one. It is the innermost one that was open when something \
         came that cannot be inside it, or when the file ended.\n\n    int f() { return (1 + 2; }";
    UNOPENED = "E0202" "bracket never opened"
        "A closing bracket has no opening one.\n\n    int f() { return 1; } }";
    EXPECTED_SEMICOLON = "E0203" "missing semicolon"
        "Statements and declarations end with `;`. The mark stands where it is missing.\n\n    int a = 1\n    int b = 2;";
    EXPECTED_EXPRESSION = "E0204" "missing expression"
        "An operator or a construct misses an operand.\n\n    int a = 1 + ;";
    UNEXPECTED = "E0205" "unexpected token"
        "The token cannot stand where it stands; the message says what could.\n\n    for (int i = 0, i < n, i++) { }";
    BAD_SPECIFIERS = "E0206" "impossible combination of type words"
        "A declaration names one type. `unsigned`, `short` and `long` only combine with some others, in any order.\n\n    unsigned float a;\n    int double b;";
    BAD_DECLARATOR = "E0207" "malformed declaration"
        "A declaration is a type followed by names with `*`, `[...]` or `(...)` around them.\n\n    int 4a;\n    int (*);";

    // Names.
    UNDECLARED = "E0301" "name not declared"
        "A name is used that no declaration in an enclosing scope, and no built-in, introduces. Names are \
         visible from their declaration to the end of the block it stands in.\n\n    int f() { return cuont; }";
    REDEFINED = "E0302" "name defined twice"
        "In one scope a name stands for one thing. Inner scopes may define it anew.\n\n    int a;\n    float a;";
    CONFLICTING = "E0303" "declarations disagree"
        "A function or variable is declared several times, and not always with the same type or qualifiers.\n\n    __device__ float f(float);\n    __device__ int f(float x) { return 1; }";
    UNKNOWN_TYPE = "E0304" "unknown type"
        "A type is expected, but the name is not one declared above.\n\n    vec4 a;";
    NO_MEMBER = "E0305" "no such member"
        "The structure has no member of this name.\n\n    dim3 g;  g.w = 1;";
    MISPLACED_JUMP = "E0306" "jump or label outside its statement"
        "`break` stands in a loop or `switch`, `continue` in a loop, `case` and `default` in a `switch`.\n\n    void f() { break; }";
    DUPLICATE_CASE = "E0307" "case label twice"
        "The labels of one `switch` have distinct values, and there is at most one `default`.\n\n    switch (x) { case 1: case 1: ; }";
    UNDEFINED = "E0308" "function or variable used but never defined"
        "A function is declared and called, or a variable is declared `extern` and used, but no definition \
         is in this program; there is no linker that could find one elsewhere.\n\n    int f(int);\n    int main() { return f(1); }";
    NO_MAIN = "E0309" "no main function"
        "A program that is run starts in `int main()` or `int main(int argc, char **argv)`.";

    UNKNOWN_LABEL = "E0310" "no such label"
        "`goto` leads to a label of the same function. Labels are names of their own, seen in the whole \
         function.\n\n    void f() { goto dnoe; done:; }";

    // Types.
    TYPE_MISMATCH = "E0401" "type mismatch"
        "A value of one type is given where another is needed, and C has no conversion between the two \
         that happens by itself. Numbers convert into each other, object pointers into `void *` and (as \
         in C) back with a cast, 0 into any pointer.\n\n    float *p = 1.5f;\n    int *q = p;      // needs (int *)p";
    BAD_OPERANDS = "E0402" "operator not defined for these types"
        "Arithmetic is for numbers, `%`, `&`, `|`, `^`, `~`, `<<`, `>>` for integers; pointers take `+` and \
         `-` with integers, `-` and comparison with pointers of the same type.\n\n    float x = 1.5f % 2;";
    NOT_ASSIGNABLE = "E0403" "not something that can be assigned"
        "Assignment, `++`, `--` and `&` need an object: a variable, an element, a member or what a pointer \
         points at.\n\n    a + b = 3;\n    5++;";
    ASSIGN_CONST = "E0404" "assignment to a constant"
        "What is declared `const`, what a pointer to `const` points at, and `__constant__` variables in \
         device code are only read.\n\n    void f(const int *p) { *p = 1; }";
    WRONG_ARGUMENTS = "E0405" "wrong number of arguments"
        "A call passes as many arguments as the function has parameters.\n\n    __device__ float f(float a, float b);\n    f(1.0f);";
    NOT_CALLABLE = "E0406" "not a function"
        "Only functions are called.\n\n    int n;\n    n(3);";
    INCOMPLETE_TYPE = "E0407" "incomplete type"
        "The size of a type is needed, but the type is `void`, a structure that is only announced, or an \
         array without a bound.\n\n    struct node;\n    struct node n;";
    NOT_CONSTANT = "E0408" "not a constant expression"
        "Array bounds, `case` labels, enumerators and initialisers of global variables are computed while \
         compiling: from literals, enumerators, `const` integers with constant initialisers, `sizeof` \
         and operators.\n\n    void f(int n) { int a[n]; }";
    BAD_BOUND = "E0409" "bad array bound"
        "An array has at least one element, and an integer number of them.\n\n    int a[-1];\n    int b[2.5];";
    BAD_INITIALISER = "E0410" "bad initialiser"
        "An initialiser has more elements than the object, names a member that does not exist, or is not \
         of a form that the object can take.\n\n    int a[2] = {1, 2, 3};";
    BAD_RETURN = "E0411" "return does not fit the function"
        "A function that returns a value returns one everywhere, a `void` function nowhere.\n\n    void f() { return 1; }";
    NOT_SCALAR = "E0412" "condition is not a number or pointer"
        "Conditions of `if`, loops, `?:`, `!`, `&&` and `||` are numbers or pointers; `switch` takes an integer.\n\n    dim3 g;\n    if (g) { }";
    BAD_DECLARATION = "E0413" "impossible declaration"
        "The declared thing cannot exist: a variable of type `void`, an array of functions, a function \
         that returns an array, a variable with words that exclude each other.\n\n    void x;";
    BAD_CAST = "E0415" "impossible cast"
        "A cast converts between numbers, between pointers, and between pointers and integers.\n\n    float *p;\n    float x = (float)p;";
    BAD_FORMAT = "E0416" "format and arguments disagree"
        "The conversions of a `printf` format and the arguments that follow it have to agree in number \
         and type.\n\n    printf(\"%s\", 5);";
    AMBIGUOUS = "E0417" "name that may mean several things"
        "Several functions of this name take the arguments, and none of them fits better than the others \
         for every argument: convert an argument so that one does. Or two namespaces that are open have a variable of this \
         name each: name the namespace.\n\n    \
         void f(int, double);\n    void f(double, int);\n    void g() { f(1, 1); }";
    NO_MATCHING_CALL = "E0418" "no function takes these arguments"
        "Of several functions with this name none takes the arguments that are given, or the arguments of \
         a template do not follow from them.\n\n    void f(int *);\n    void f(float *);\n    void g() { f(1.0); }";
    ASSERTION_FAILS = "E0419" "static assertion fails"
        "The program itself demands a condition that does not hold.\n\n    static_assert(sizeof(int) == 8, \"int is wide\");";
    UNUSABLE = "E0420" "use of something that cannot be read"
        "A function that is needed uses something whose declaration has faults. The declaration itself is \
         named in a warning, since without this use nothing would need it.";
    NARROWED = "E0421" "constant that does not fit its type"
        "Values in braces, and the values of `case` labels, may only be converted to types that hold them, as C++ and nvcc \
         have it: no floating-point number to an integer, no constant to a type that does not hold it. Write the \
         conversion, or another type; `-Wno-narrowing` makes a warning of it in braces.\n\n    char c{300};\n    unsigned u[] = {1, -1};\n    switch (n) { case 3000000000u: return 1; }";
    REMOVED = "E0422" "not in this release of CUDA"
        "`--cuda` says which release the program is for, and that one has removed what is used here. Without `--cuda` it is a \
         warning (W0411).\n\n    texture<float, 2> image;   // --cuda 12: references to textures went with CUDA 12";

    // CUDA and C++ that is not supported.
    UNSUPPORTED_TEMPLATE = "E0501" "unsupported: this kind of template"
        "Templates of functions, structures and variables are supported, with types and integers as parameters; packs of \
         parameters and templates as parameters are not.\n\n    template <typename... T> __global__ void k(T... a) { }";
    UNSUPPORTED_CLASS = "E0502" "unsupported: this kind of class"
        "Structures with functions, constructors, destructors and operators are supported; inheritance, virtual \
         functions and destructors of variables of the device are not.\n\n    struct b { };\n    struct v : b { };";
    UNSUPPORTED_NAMESPACE = "E0503" "unsupported: this namespace"
        "The program uses a library of C++ that does not come with the compiler, or a part of `std` whose \
         header it does not include or that is not there. There are `algorithm`, `array`, `chrono`, \
         `functional`, `limits`, `memory` (`unique_ptr`), `numeric`, `random`, `stdexcept`, `string`, \
         `type_traits`, `utility` (`pair`), `vector` and output on `cout`; not `cin`, files, maps, sets, \
         lists, `function` and threads. docs/language.md has more.\n\n    std::map<int, int> a;";
    UNSUPPORTED_LAMBDA = "E0504" "unsupported: what this lambda captures"
        "A lambda captures variables of the function around, by copy or by reference; not its object, \
         whose members it can capture one by one. What it uses of the function around it has to \
         capture.\n\n    auto f = [this] { return member; };    // [&member = member]";
    ASM = "E0505" "wrong `asm` statement"
        "An `asm` statement contains PTX and belongs to device code. In its text `%0` is the first operand, and `%%` a `%` of \
         PTX. The constraints are `r` (32-bit integers), `l` (64-bit integers and pointers), `h` (16-bit integers), `f` \
         (float), `d` (double) and `n` (a constant). `=` marks an output, `+` an output that the text also reads. spec/ptx.md \
         lists the instructions.\n\n    asm(\"add.s32 %0, %1, 1\" : \"=r\"(n) : \"r\"(n));    // the `;` of PTX is missing";
    UNSUPPORTED_REFERENCE = "E0506" "unsupported: references"
        "Parameters, local variables and results may be references to objects; members, variables outside \
         functions and parameters of kernels may not. Use a pointer.\n\n    struct view { int &first; };";
    UNSUPPORTED_FUNCTION_POINTER = "E0508" "unsupported: pointers to functions"
        "Functions are called by name; pointers to functions are not supported.\n\n    float (*f)(float) = sinf;";
    UNSUPPORTED_RECURSION = "E0509" "unsupported: recursion in device code"
        "Device functions are inlined into the kernel, so none may call itself, directly or through \
         others. The message shows the cycle. Host functions may recurse.\n\n    __device__ int f(int n) { return n ? n * f(n - 1) : 1; }";
    UNSUPPORTED_FUNCTION = "E0510" "unsupported: this CUDA function or type"
        "The name belongs to a part of CUDA that is not modelled, such as textures of three dimensions, surfaces, \
         graphs and libraries.\n\n    cudaGraph_t graph;";
    UNSUPPORTED_CPP = "E0512" "unsupported: this part of C++"
        "The program uses a C++ construct that is not supported, such as `dynamic_cast`, `throw` within an expression, \
         or a range-based `for` over an object without functions `begin` and `end`.\n\n    for (int x : 5) { }";
    UNSUPPORTED_BITFIELD = "E0513" "unsupported: this bit-field"
        "Bit-fields lie where the ABI of x86-64 puts them; none has an alignment of its own.\n\n    struct s { alignas(8) unsigned a : 3; };";
    UNSUPPORTED_DEFAULT_ARGUMENT = "E0514" "unsupported: this default argument"
        "A default argument is a constant or a string, of a parameter that is no reference. Pass any other in \
         every call.\n\n    float f(float a, float b = sinf(1.0f));";
    UNSUPPORTED_C = "E0515" "unsupported: this part of C"
        "The program uses a part of C that is not supported, which the message names.\n\n    void f(int n, ...) { }";

    // Kernels and the two sides.
    KERNEL_RETURN = "E0601" "kernel does not return void"
        "A `__global__` function runs many times at once; there is nobody to take a value. Write results to memory.\n\n    __global__ int k() { return 1; }";
    KERNEL_CALLED = "E0602" "kernel called like a function"
        "A `__global__` function is launched with a grid and a block size.\n\n    k(a);              // k<<<blocks, threads>>>(a);";
    LAUNCH_NOT_KERNEL = "E0603" "launch of something that is not a kernel"
        "Only functions declared `__global__` are launched with `<<<...>>>`.\n\n    void f() { }\n    f<<<1, 1>>>();";
    HOST_CALLED_FROM_DEVICE = "E0604" "host function called from device code"
        "Kernels and `__device__` functions call `__device__` functions and device built-ins only. A function \
         that both sides need is declared `__host__ __device__`.\n\n    int f() { return 1; }\n    __global__ void k(int *a) { *a = f(); }";
    DEVICE_CALLED_FROM_HOST = "E0605" "device function called from host code"
        "Host functions call host functions and launch kernels. A function that both sides need is declared \
         `__host__ __device__`.\n\n    __device__ int f() { return 1; }\n    int main() { return f(); }";
    BAD_SHARED = "E0606" "misuse of __shared__"
        "`__shared__` variables belong to a thread block: they are declared in device code or outside functions \
         (`extern` as an array without bound), and have no initialiser.\n\n    __global__ void k() { __shared__ int a = 0; }";
    BAD_DEVICE_VARIABLE = "E0607" "misuse of __constant__ or __device__"
        "`__constant__` and `__device__` variables are declared outside functions, with constant \
         initialisers.\n\n    void f() { __constant__ int a; }";
    LAUNCH_FROM_DEVICE = "E0608" "launch from device code"
        "Kernels are launched by host code; dynamic parallelism is not supported.\n\n    __global__ void k() { j<<<1, 1>>>(); }";
    BAD_LAUNCH = "E0609" "malformed launch configuration"
        "`<<<grid, block, shared, stream>>>`: grid and block are integers or `dim3`, shared an integer number \
         of bytes; the last two may be left out.\n\n    k<<<1>>>();";
    WRONG_SIDE = "E0610" "used on the wrong side"
        "`threadIdx` and its kin and `__shared__` variables exist in device code only; host variables exist in \
         host code only, device variables in device code only (host code reaches them with \
         `cudaMemcpyToSymbol` and `cudaMemcpyFromSymbol`).\n\n    int n;\n    __global__ void k(int *a) { *a = n; }";
    PASSES_DISAGREE = "E0611" "host and device see different things"
        "A source that asks for `__CUDA_ARCH__` is read once for the host and once for the device. What both use \
         must be the same in both: the members of a structure, the parameters of a kernel, the type of a device \
         variable. Otherwise one reads memory by a layout that the other has not written it \
         by.\n\n    struct pair {\n        int a;\n    #ifdef __CUDA_ARCH__\n        int b;\n    #endif\n    };";

    // Limits.
    LIMIT_EXPANSION = "E0701" "macros expand to too much"
        "One file with its includes may expand to 4 million tokens, and one use of a macro to 1 million; \
         `#` and `##` may make 16 MiB of text. More than that \
         is usually macros that double each other.\n\n    #define A B B\n    #define B C C\n    // ... thirty times";
    LIMIT_INCLUDE = "E0702" "includes too deep"
        "Files may include each other up to 64 deep, and all together be 64 MiB long. More than that is \
         usually a file that includes itself; `#pragma once` stops it.";
    LIMIT_NESTING = "E0703" "nested too deep"
        "Brackets, blocks and statements may be nested up to 200 deep.\n\n    ((((((((((((((((((((((((...";
    LIMIT_EXPRESSION = "E0704" "expression too long"
        "A single expression may be a chain of up to 1,000 operators; split it.\n\n    x = a + a + a + a + ...;";
    LIMIT_SIZE = "E0705" "object too large"
        "A type has less than 1 GiB, constant memory 64 KiB, and the parameters of a kernel 4,096 bytes.\n\n    int a[1000000][1000000];";
    LIMIT_ERRORS = "E0706" "too many errors"
        "More than 100 errors were found; the rest is not shown.";

    LIMIT_KERNEL = "E0707" "kernel too large"
        "All device functions are inlined into the kernels that use them; a kernel has at most a \
         million operations then, and calls are at most 256 deep. Split the kernel.";
    LIMIT_MEMORY = "E0708" "too much memory for a kernel"
        "A kernel's parameters, its shared or its local variables exceed what the machine can \
         address.\n\n    float big[10000000];   // in every thread";
    LIMIT_REGISTERS = "E0709" "too few registers"
        "`--max-registers` leaves the kernel fewer registers than one of its instructions needs at once, \
         even with everything else kept in local memory.";
    LIMIT_TOKENS = "E0710" "program too long"
        "A program may have 4 million tokens with what it includes and what macros make, for which the compiler takes up to \
         110 bytes each. Split it, or put tables into files that it reads.";

    // Kernels as IR, assembly or a binary, and machine files.
    KERNEL_TEXT = "E0801" "line of IR or assembly text that cannot be read"
        "A line does not have the form that spec/ir.md or spec/isa.md describes, or a file has no kernel.\n\n    add.i32 r0 r1, 2      // \
         a comma is missing";
    IR_RULE = "E0802" "function that breaks a rule of the IR"
        "The text can be read, but the function is not well-formed: spec/ir.md lists the rules that the verifier checks.\n\n    \
         b0:\n      jump b0        ; the entry is no target";
    IMAGE = "E0803" "binary that cannot be read"
        "The file is no binary image, of another version, or breaks a rule of the instruction set. `compile --emit bin` and `asm` write \
         binaries.";
    KERNEL_MISMATCH = "E0804" "kernel that does not fit the program"
        "A kernel of `run --kernels` takes the place of the program's kernel of the same name. It has to have the same parameters at the \
         same offsets, and the device's variables have to lie where the program has them: `compile` the program again, and start from that text.";
    MACHINE_FILE = "E0805" "fault in a machine file"
        "A machine file has a key that machines do not have, lacks one, or has a value that is out of its range. \
         `reconverge list machine gtx480` shows a complete file.";
    PTX = "E0806" "PTX that cannot be compiled"
        "The text is no PTX, breaks one of its rules, or has an instruction or a construct that is not supported. spec/ptx.md lists the \
         instructions that are, with their operands.\n\n    add.s32 %r1, %r2;     // needs two sources";
    KERNEL_NAME = "E0807" "name that IR or assembly text cannot use"
        "The text names an instruction, a label, an annotation or a hint that does not exist, or defines a name twice. \
         `reconverge list instructions` shows all instructions.\n\n    ad.i32 r0, r1, 2      // it is `add.i32`";
    KERNEL_RANGE = "E0808" "value that is out of range in IR or assembly text"
        "A number is larger or smaller than its place allows; the message states the limits.\n\n    mov.b32 r255, 1       // registers end at r254";
    KERNEL_RULE = "E0809" "instruction that breaks a rule of the instruction set"
        "The text can be read, but an instruction, a kernel or a variable breaks a rule: spec/isa.md lists them.\n\n    \
         .registers 2\n    mov.b32 r7, 1         // the kernel has two registers";

    EXTENSION = "E0810" "fault of an extension"
        "An analysis of an extension gives a load a hint that no extension declares, or a value that the hint does not have. \
         Add `.hint(HINT, None)` to the extension; docs/extend.md describes hints.";

    // Ourselves.
    INTERNAL = "E0901" "internal error of the compiler"
        "The compiler contradicts itself. This is a fault of ours, whatever the program says; please \
         report it with the program.";

    // Analysis: the answers of `compile --why`.
    ANALYSIS = "N0001" "what the analyses know"
        "The answer to `compile --why LINE[:COLUMN]`: among which threads of a launch a value, or the way \
         a branch goes, is the same; how it differs in the others (affine: a linear function of the thread's \
         and the block's indices); whether it depends on data (D) or on parameters, constants and \
         indices only (P); and the shortest chain of reasons.\n\n    if (a[i] > 0)   // none generic D: a[i] is loaded";

    DENIED = "N0002" "request that was denied"
        "The program asked for more than there is: a launch exceeded a limit of the machine, so the kernel did not run, or a call \
         found no memory. The program got an error or a null pointer and went on.\n\n    \
         k<<<1, 2000>>>(a);   // a block has at most 1024 threads";

    // Run time: faults that stop a program.
    TRAP = "R0001" "trap"
        "A thread or the host program did something that has no meaning: an access through a null pointer or one of \
         the other side, an integer division by zero, an exhausted stack, a kernel that no core of the machine can \
         hold. R0005 to R0008 are traps too. The program ends there, with exit status 241.\n\n    a = b / 0;";
    DEADLOCK = "R0002" "deadlock"
        "No thread of the kernel can make progress: the threads that are left wait at barriers for threads that \
         do not arrive, or spin on memory that no thread will change. Lanes of one warp that wait for each other do \
         this under a reconvergence stack, as in a spin lock:\n\n    \
         while (atomicCAS(lock, 0, 1) != 0);   // the lane that has the lock waits below the others";
    LIMIT = "R0003" "limit reached"
        "The run took longer than it may. Raise the limit with `--max-cycles N` for kernels and \
         `--max-operations N` for host code, or look for a loop without end.\n\n    while (flag == 0);";

    INTERRUPTED = "R0004" "interrupted"
        "Ctrl-C stopped the run at its next safe point. Statistics, profile and trace hold what was measured until then, and say \
         `\"complete\": false`. Another Ctrl-C ends the process without them.";

    OUT_OF_BOUNDS = "R0005" "access out of bounds"
        "A thread or the host program accessed memory that is in no allocation, or past the end of the shared, local or \
         constant memory that there is. The message says which allocation is next to it. The program ends there, with \
         exit status 241.\n\n    if (i <= n) a[i] = 0;   // a has n elements: the last one is a[n - 1]";
    USE_AFTER_FREE = "R0006" "access to freed memory"
        "A thread or the host program accessed memory that has been allocated and freed since. The program ends there, with \
         exit status 241.\n\n    cudaFree(a);\n    kernel<<<1, 32>>>(a);";
    MISALIGNED = "R0007" "misaligned access"
        "The address of an access is not a multiple of its size; a vector such as `float4` is accessed as a whole. The \
         program ends there, with exit status 241.\n\n    float4 b = *(float4 *)(a + 1);   // 4 bytes past a multiple of 16";
    ASSERTION = "R0008" "failed assertion"
        "The condition of an `assert` in device code does not hold. The program ends there, with exit status 241. \
         On the host a failed assertion ends the program as `abort` does, with 134.\n\n    assert(n > 0);";

    // Run time: findings of `--check`, which do not stop a program.
    RACE = "R0101" "race"
        "Two threads access the same bytes of shared or global memory, at least one of them writes, and nothing orders \
         the two accesses: no barrier of the block, no `__syncwarp` of the warp, no later launch, and no fence with an \
         atomic or volatile write that the other thread has read. On a GPU either may come first, and the result differs. Atomic and volatile accesses of the same size do not race with each other. A comment in one of the two lines, or in the \
         line above, leaves out an intended race: `// check: ignore R0101`.\n\n    s[threadIdx.x] = v;\n    out[i] = s[threadIdx.x ^ 32];   // __syncthreads() is missing above";
    RACE_SAME_VALUE = "R0102" "unordered writes of the same value"
        "Several threads write the same value to the same place, and nothing orders the writes. The result is the same in any \
         order. It is still a race, which changes the result once the values differ. It does not change the exit \
         status.\n\n    if (a[i] == x) *found = 1;";
    UNINITIALISED = "R0103" "read of memory that was never written"
        "A thread reads bytes of shared, global or local memory that neither a thread nor the host has written since they \
         were allocated, or the host reads bytes that were copied from such. Copying a whole structure is not a read; \
         members without a value stay so in the copy. The bytes are 0 here; on a GPU they hold what was there before.\n\n    \
         cudaMalloc(&a, n);\n    sum<<<1, 32>>>(a);   // cudaMemcpy or cudaMemset is missing above";
    BARRIER = "R0104" "barrier that not all threads of the block reach"
        "Some threads of a block wait at a barrier while others have ended, wait at another barrier, or are elsewhere. All \
         threads of a block must reach a barrier: conditions around it, and returns before it, must be the same in all of them. \
         Machines that count warps at barriers continue; GPUs since Volta count threads.\n\n    if (i >= n) return;\n    __syncthreads();";
    LANES = "R0105" "mask that does not fit its lanes"
        "The mask of a warp operation names a lane that has ended, lanes that name each other give different masks, or a \
         shuffle takes a value from a lane that the mask does not name. All lanes that a mask names must execute the operation \
         together, each with the same mask.\n\n    if (threadIdx.x == 3) return;\n    x += __shfl_down_sync(0xffffffff, x, 1);";
    LEAK = "R0106" "device memory that is not freed"
        "The program has ended without freeing memory of `cudaMalloc` or a similar function. This is a note: it does not change the exit status.\n\n    cudaMalloc(&a, n);\n    return 0;";
    UNCHECKED_ERROR = "R0107" "unchecked error of a launch"
        "A launch was refused, so the kernel did not run, and the program has ended without a test of the \
         error.\n\n    k<<<1, 2000>>>(a);   // a block has at most 1024 threads";
    ORDER = "R0108" "result that depends on the order of threads"
        "`--check-schedules` has run a launch in another order of its blocks, warps and paths, one that is possible on a GPU too. \
         Memory after the launch differs, or the kernel does not end. The cause is a race, or atomics whose result \
         depends on the order: floating-point sums, exchanges, places assigned by a counter.\n\n    atomicAdd(sum, x[i]);   // float: rounded after each step\n    out[atomicAdd(n, 1)] = i;";
    STREAMS = "R0109" "unordered operations of different streams"
        "Two kernels or copies in different streams, or one of them and the host, access the same bytes of global memory, one of them \
         writes, and nothing orders the two: the second stream waits for no event of the first, and the host does not wait in between. The default \
         stream waits for all streams except those made with `cudaStreamNonBlocking`, and they wait for it. Here operations run one \
         after the other; on a GPU they may overlap.\n\n    fill<<<1, 32, 0, s>>>(x);\n    use<<<1, 32, 0, t>>>(x);   \
         // cudaEventRecord(e, s) and cudaStreamWaitEvent(t, e) are missing above";
    LOCK_STEP = "R0110" "race between lanes of a warp"
        "Two lanes of a warp access the same bytes of shared or global memory, at least one of them writes, and only lockstep \
         execution orders the two. GPUs since Volta do not run lanes in lockstep: only `__syncwarp` and barriers order their memory \
         accesses. Shuffles and votes do not, although the lanes execute them together.\n\n    \
         s[t] += s[t + 16];\n    s[t] += s[t + 8];   // __syncwarp() is missing above";
    OBJECT = "R0111" "access outside of its array"
        "A thread accesses shared, local or global memory beyond the array, or other variable, that its pointer was made from: the \
         bytes belong to another variable or member, or to none. An array of arrays counts as one.\n\n    \
         __shared__ int a[32], b[32];\n    a[threadIdx.x + 1] = 0;   // the last thread writes b[0]";

    UNAWAITED = "R0112" "access to bytes of an asynchronous copy"
        "A thread accesses bytes of shared memory that an asynchronous copy may still write. The bytes of a copy arrive at any time until \
         the thread that copies has waited for the copy's group; for other threads, a barrier has to follow the wait.\n\n    \
         __pipeline_memcpy_async(&tile[i], &in[i], 4);\n    __pipeline_commit();\n    \
         use(tile[i]);   // before __pipeline_wait_prior(0)";

    // Warnings.
    LIMIT_WARNINGS = "W0001" "too many warnings"
        "More than 100 warnings were found; the rest is not shown.";
    WARNING_DIRECTIVE = "W0101" "#warning"
        "The program itself warns with a `#warning` directive.\n\n    #warning \"slow path\"";
    MACRO_REDEFINED = "W0102" "macro defined anew"
        "A macro is defined twice with different texts; the last definition counts. Use `#undef` first if this is intended.\n\n    #define N 4\n    #define N 8";
    MISSING_INCLUDE = "W0103" "included file not found"
        "The file named by `#include` is neither one of the CUDA, C or C++ headers that come with the \
         compiler nor found beside the including file or in the include directories. What it declares is missing; \
         that matters only where it is used.\n\n    #include \"missing.h\"";
    UNUSED_VARIABLE = "W0301" "unused variable"
        "A local variable, or a static one outside functions, is never named again, or only ever set. Mark it \
         `[[maybe_unused]]` if this is intended, or cast it to `void`: `(void)x;`.\n\n    void f() { int x; }";
    UNUSED_LABEL = "W0302" "unused label"
        "No `goto` leads to the label. In a `switch` it may be a `case` or `default` that is misspelt.\n\n    switch (x) { case 1: break; defualt: y = 2; }";
    SHADOWED = "W0303" "hidden variable"
        "A variable has the name of a parameter or of a variable of a block around it, which cannot be reached \
         under that name below. Where both are meant to be one, the inner declaration is one too \
         many.\n\n    void f(int n) { if (n) { int n = 2; } }";
    UNUSED_FUNCTION = "W0304" "unused function"
        "A `static` function is seen in its own file only, and nothing there names it. Mark it `[[maybe_unused]]` if \
         this is intended.\n\n    static int f() { return 1; }";
    MISSING_RETURN = "W0401" "missing return"
        "The end of a function that returns a value can be reached; the value returned there is 0.\n\n    int f(int a) { if (a) return 1; }";
    SUSPICIOUS_CONVERSION = "W0402" "constant changed by its conversion"
        "A constant does not fit the type it is converted to and changes its value.\n\n    unsigned char a = 300;";
    DIVISION_BY_ZERO = "W0403" "division by zero"
        "An integer division by the constant 0 always traps.\n\n    int a = n / 0;";
    FORMAT_MISMATCH = "W0404" "value does not fit the format"
        "A conversion of a `printf` format and the value it is given are of different kinds, or a value is \
         not used. What is printed is then rarely what is wanted.\n\n    printf(\"%d\\n\", 1.5);";
    NOT_NEEDED = "W0405" "something that is not needed has faults"
        "What is wrong here is in host code, or in a function, that nothing needed uses: kernels compile \
         whatever the host code beside them is. `--strict` makes all faults of a program errors.";
    PASSED_INITIALISER = "W0406" "jump past an initialiser"
        "A `goto`, or a label of a `switch`, leads into the scope of a variable past its initialiser. C++ refuses that, and so does nvcc. \
         Here the variable keeps what it holds, zero at first. Declare it before the jump, or give it a block of its own.\n\n    \
         switch (n) { case 0: int a = 1; break; case 1: return a; }";
    MAY_NARROW = "W0407" "narrowing conversion in braces"
        "A value in braces is converted to a type that does not hold all values of its own: an `int` to `float` or `unsigned`, a `double` to \
         `float`, a `long` to `int`. C++ refuses that; nvcc and its host compiler warn, unless the value is a constant in host code \
         (E0421). Write the conversion if it is meant.\n\n    \
         __device__ float3 at(int x) { return {x, 0, 0}; }";
    ONE_SIDED = "W0408" "function that nvcc has for one side only"
        "The function does the same on host and device here, but nvcc declares it for one of them and refuses the call on the other. \
         Give the call a side of its own with `#ifdef __CUDA_ARCH__`, or call what both sides have.\n\n    \
         float f(float x) { return __expf(x); }   // expf(x) is there on both sides";
    UNROLL = "W0409" "#pragma unroll without effect"
        "`#pragma unroll` stands directly before a loop, with a factor from 1 on or with none. A loop is unrolled to at most 1024 \
         iterations and 4096 instructions.\n\n    \
         #pragma unroll\n    x = 1;";
    HOST_READS = "W0410" "`__CUDA_ARCH__` where nvcc's host pass reads too"
        "nvcc reads a file as the host sees it, too, where `__CUDA_ARCH__` is not defined: as a name in device code it is an error there. Here the \
         host's pass leaves device code alone. Ask for the macro in `#if`, or put the code in `#ifdef __CUDA_ARCH__`.\n\n    \
         __global__ void k(int *p) { *p = __CUDA_ARCH__; }";
    DEPRECATED = "W0411" "older CUDA"
        "The release of CUDA has deprecated what is used here, or removed it; it is supported all the same. With `--cuda 11`, `12` or `13` what that \
         release has removed is an error (E0422).\n\n    int v = __shfl_down(x, 1);   // __shfl_down_sync(mask, x, 1)";
    DIVERGENT_BARRIER = "W0501" "barrier that not all threads may reach"
        "Whether a thread comes to a `__syncthreads()` depends on something that differs between the \
         threads of its block: a branch or an early return above it. A barrier waits for all threads of the \
         block that have not ended; when some of them never come, the kernel is deadlocked.\n\n    \
         if (threadIdx.x < 10) __syncthreads();";
    UNSET = "W0502" "variable read before it is written"
        "A kernel reads a local variable, or a function does that the kernel calls, and nothing has given it a value on any way there. C \
         leaves the value undefined; here it is 0.\n\n    float sum;\n    for (int i = 0; i < n; i++) sum += x[i];";
    MAYBE_UNSET = "W0503" "variable that may be read before it is written"
        "There is a way through a kernel on which a local variable is read and nothing has given it a value. Whether threads go that way \
         is for the data to say, so the warning is given with `-Wuninitialized` only.\n\n    \
         float best;\n    if (n > 0) best = x[0];\n    *out = best;";
    NO_RECONVERGENCE = "W0601" "branch without a reconvergence point"
        "A branch of assembly text may diverge and does not say where its paths meet again. Under schemes that follow `!reconverge`, such as \
         the SIMT stack, they then run apart to the end of the kernel: the result is the same, but takes longer, and threads never come \
         together at a barrier inside.\n\n    @p0 bra L !reconverge L";
    LEFT_OUT = "W0602" "something that a kernel's text leaves out"
        "Code that is written by hand may leave out what the compiler says of its own code: how many registers there are, and what is known of values \
         and branches. It runs all the same; the message says what was taken for granted.";
    ODD_PARAMETER = "W0603" "parameter of an odd size"
        "Numbers and pointers have 1, 2, 4 or 8 bytes. A parameter of another size can only be a structure of bytes or shorts.\n\n    .param n 0 5";
    NOT_SELECTED = "W0604" "options of a mechanism that is not selected"
        "A machine file or `--set` has options of a mechanism that fills no slot of the machine, so that they change nothing. Select the \
         mechanism, or leave them out.\n\n    divergence = \"simt-stack\"\n    [dual-path]\n    ...";
    PTX_LIMIT = "W0605" "limit of a PTX kernel that is not applied"
        "`.maxnreg` limits the registers per thread, unless it leaves too few for any kernel. `.minnctapersm` does for blocks of the size that \
         `.maxntid` or `.reqntid` states. The option `--max-registers` goes before both.\n\n    .minnctapersm 2";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_unique_and_explained() {
        for (at, code) in ALL.iter().enumerate() {
            assert_eq!(Code::find(code.id), Some(*code));
            assert!(!code.title.is_empty() && code.explanation.len() > 40, "{}", code.id);
            assert!(ALL[..at].iter().all(|other| other.id < code.id), "{}", code.id);
        }
    }
}
