// The book, Figures 3.7 and 3.8: two convergence barriers, B1 at G and B2 at F.
//: divergence = convergence-barrier
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
// The branch at the end of A: all take part in B1. C waits for its turn.
//> 0: [G 1111] B/1000* C/0111
// B waits at B1; C runs.
//> 0: [G 1111] G/1000w C/0111*
// The branch at the end of C: its lanes take part in B2.
//> 0: [G 1111][F 0111] G/1000w D/0110* E/0001
//> 0: [G 1111][F 0111] G/1000w F/0110w E/0001*
// All have come to B2, and then to B1.
//> 0: [G 1111] G/1000w F/0111*
//> 0:  G/1111*
//> 0:
