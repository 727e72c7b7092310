// The book, Figure 3.10: Volta interleaves the statements of both sides. One path of the warp is visible to
// the scheduler at a time; another one runs when it has issued its load. In time: X and A, then Y and B.
//: divergence = convergence-barrier
//: convergence-barrier.switch = long-latency
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
//| 0.0 .S.....S.....S..A.X(93)A.B.......X.Y(75)B(9)YY.....ZZ
