// The book, Figure 3.9: statements A and B on one side, X and Y on the other, Z after them, under a reconvergence
// stack. The drawing is lost; each statement here loads a word and uses it. In time: A and B, then X and Y.
//: divergence = simt-stack
.kernel k
.registers 12
.predicates 2
S:
        mov.b32 r10, tid.x
        setp.lt.u32 p0, r10, 2
  @p0   bra A !reconverge Z
X:
        ld.global.b32 r1, [0x10000000]
        add.i32 r2, r1, r10
Y:
        ld.global.b32 r3, [0x10000040]
        add.i32 r4, r3, r2
        bra Z
A:
        ld.global.b32 r1, [0x10000080]
        add.i32 r2, r1, r10
B:
        ld.global.b32 r3, [0x100000c0]
        add.i32 r4, r3, r2
Z:
        add.i32 r5, r4, r10
        exit
//| 0.0 .S.....S.....S..A(95)A.B(85)B.X(85)X.Y(85)Y.Y....ZZ
