// The book, Figures 3.7 and 3.8, with its instructions: ADD is `bssy`, WAIT is `bsync`. Barrier b1 at G and
// b2 at F.
//: divergence = convergence-barrier
.kernel k
.registers 12
.predicates 2
A:
        mov.b32 r10, tid.x
        setp.eq.i32 p0, r10, 0
        bssy b1, G
  @p0   bra B !reconverge G
C:
        setp.lt.u32 p1, r10, 3
        bssy b2, F
  @p1   bra D !reconverge F
E:
        sub.i32 r4, r10, 1
        bra F
D:
        add.i32 r4, r10, 1
F:
        bsync b2
        bra G
B:
        add.i32 r1, r10, 1
G:
        bsync b1
        add.i32 r8, r10, 1
        exit
//=  A/1111*
// All take part in b1.
//> 0: [b1 G 1111] A/1111*
//> 0: [b1 G 1111] B/1000* C/0111
// B waits at b1; C runs, and its lanes take part in b2.
//> 0: [b1 G 1111] G/1000* C/0111
//> 0: [b1 G 1111] G/1000w C/0111*
//> 0: [b1 G 1111][b2 F 0111] G/1000w C/0111*
//> 0: [b1 G 1111][b2 F 0111] G/1000w D/0110* E/0001
//> 0: [b1 G 1111][b2 F 0111] G/1000w F/0110* E/0001
//> 0: [b1 G 1111][b2 F 0111] G/1000w F/0110w E/0001*
//> 0: [b1 G 1111][b2 F 0111] G/1000w F/0110w F/0001*
// All have come to b2, and then to b1.
//> 0: [b1 G 1111] G/1000w F/0111*
//> 0: [b1 G 1111] G/1000w G/0111*
//> 0:  G/1111*
//> 0:
