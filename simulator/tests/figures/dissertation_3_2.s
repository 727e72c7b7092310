// Dissertation, Figure 3.2: dynamic warp subdivision with a threshold of 2. Block F has one instruction,
// the others three or more. The drawings are lost; the masks are ours.
//: divergence = warp-subdivision
//: warp-subdivision.threshold = 2
.kernel k
.registers 12
.predicates 2
A:
        mov.b32 r10, tid.x
        setp.eq.i32 p0, r10, 0
  @p0   bra B !reconverge G
C:
        setp.lt.u32 p1, r10, 3
        add.i32 r2, r10, 1
  @p1   bra D !reconverge F
E:
        sub.i32 r4, r10, 1
        sub.i32 r4, r4, 1
        bra F
D:
        add.i32 r4, r10, 1
        add.i32 r4, r4, 1
        add.i32 r4, r4, 1
F:
        bra G
B:
        add.i32 r1, r10, 1
        add.i32 r1, r1, 1
        add.i32 r1, r1, 1
G:
        add.i32 r8, r10, 1
        add.i32 r8, r8, 1
        exit
//= [- A/1111*]
// (a) Block G, with three instructions, is above the threshold: the stack serializes B and C.
//> 0: [- G/1111][G C/0111][G B/1000*]
//> 0: [- G/1111][G C/0111*]
// (b) Block F is not: D and E are splits, whose reconvergence point is G.
//> 0: [- G/1111][G D/0110* E/0001*]
// (c) Both go on beyond F, which runs twice, and meet at G.
//> 0: [- G/1111][G F/0110* E/0001*]
//> 0: [- G/1111][G E/0001*]
//> 1: [- G/1111][G F/0001*]
//> 1: [- G/1111*]
//> 0:
// (d) In time: D and E interleave, F runs once for each.
//| 0.0 .A.....A.....A..B.....B.....B.C.C...C...D.....D......D.F..G.....G.G
//| 0.1 (39)E.....E.E..F
