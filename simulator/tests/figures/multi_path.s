// The book, §3.4.2: multi-path execution, on the graph of the dissertation's Figure 2.6.
//: divergence = multi-path
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
// An entry for G in the reconvergence table, and two splits, both of which run.
//> 0: [G 1111] B/1000* C/0111*
//> 1: [G 1111][F 0111] B/1000* D/0110* E/0001*
// D has come to F.
//> 1: [G 1111][F 0111] B/1000* F/0110w E/0001*
// So has E, and its entry is gone.
//> 2: [G 1111] B/1000* F/0111*
//> 0: [G 1111] G/1000w F/0111*
//> 1:  G/1111*
