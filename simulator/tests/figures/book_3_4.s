// The book, Figures 3.2 to 3.4: two branches in a loop, of which this is one turn. The side that falls
// through runs first in the book; which is first is free.
//: divergence = simt-stack
.kernel k
.registers 12
.predicates 3
A:
        mov.b32 r10, tid.x
        setp.eq.i32 p1, r10, 3
  @p1   bra F !reconverge G
B:
        setp.ne.i32 p2, r10, 0
  @p2   bra D !reconverge E
C:
        add.i32 r1, r1, 1
        bra E
D:
        add.i32 r2, r2, 2
E:
        bra G
F:
        add.i32 r3, r3, 3
G:
        add.i32 r4, r4, 1
        exit
//= [- A/1111*]
// (c) Three threads go to B, one to F.
//> 0: [- G/1111][G B/1110][G F/0001*]
//> 0: [- G/1111][G B/1110*]
// (d) B becomes (i) E, with (ii) and (iii) on it.
//> 0: [- G/1111][G E/1110][E C/1000][E D/0110*]
//> 0: [- G/1111][G E/1110][E C/1000*]
// (e)
//> 0: [- G/1111][G E/1110*]
//> 0: [- G/1111*]
//> 0:
