// Dissertation, Figures 2.6 and 3.1: the single-path stack. The drawings are lost; the masks are ours.
//: divergence = simt-stack
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
// (b) The branch at the end of A: the entry that diverged waits at G, C and B are on it.
//> 0: [- G/1111][G C/0111][G B/1000*]
// (c) B has come to G and is popped; (d) C diverges.
//> 0: [- G/1111][G C/0111*]
//> 0: [- G/1111][G F/0111][F E/0001][F D/0110*]
//> 0: [- G/1111][G F/0111][F E/0001*]
// (e) Both have come to F, and (f) to G.
//> 0: [- G/1111][G F/0111*]
//> 0: [- G/1111*]
//> 0:
// (g) In time, on `tiny`: one block after the other, and a bubble wherever the one path waits.
//| 0.0 .A.....A.....A..B.....B.....B.C.C...C..D.....D.....D.....E.....E.E..F..G.....G.G
