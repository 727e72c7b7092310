// Dissertation, Figure 3.3: the same with two paths. The drawings are lost; the masks are ours.
//: divergence = dual-path
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
// (a) One path, the left one.
//= [- L A/1111*]
// (b) One entry holds both sides.
//> 0: [- L G/1111][G L B/1000* R C/0111*]
// (c) C diverges before B has ended, and suspends it.
//> 0: [- L G/1111][G L B/1000 R F/0111][F L D/0110* R E/0001*]
// (d) D has come to F; E is still active, and the entry stays.
//> 1: [- L G/1111][G L B/1000 R F/0111][F R E/0001*]
// (e) So has E: the entry is popped, and B goes on beside F.
//> 0: [- L G/1111][G L B/1000* R F/0111*]
//> 0: [- L G/1111][G L B/1000*]
// (f)
//> 1: [- L G/1111*]
//> 1:
// (g) In time, to be put beside Figure 3.1 (g): B and C interleave, then D and E, while B waits; F and the rest of B;
// G, once. The exit issues in cycle 57, under the stack in cycle 80.
//| 0.0 .A.....A.....A.C.C...C...E.....E.E......B.....B.G.....G.G
//| 0.1 (16)B.......D.....D......D.F
