// The book, §3.4.2: thread frontiers, on the graph of the dissertation's Figure 2.6. Blocks lie in the
// order A C E D F B G.
//: divergence = thread-frontiers
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
//=  A/1111*
// C lies before B.
//> 0:  B/1000 C/0111*
//> 0:  B/1000 D/0110 E/0001*
// E has gone to F, which is behind D.
//> 0:  B/1000 D/0110* F/0001
// D runs into F, and becomes one with who waits there; G is behind B.
//> 0:  B/1000 F/0111*
//> 0:  B/1000* G/0111
//> 0:  G/1111*
//> 0:
