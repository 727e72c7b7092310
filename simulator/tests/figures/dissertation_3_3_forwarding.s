// Dissertation, §3.4.1: Figure 3.3 (d) with path-forwarding, which interleaves B and E.
//: divergence = dual-path
//: dual-path.path-forwarding = true
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
//= [- L A/1111*]
//> 0: [- L G/1111][G L B/1000* R C/0111*]
//> 0: [- L G/1111][G L B/1000 R F/0111][F L D/0110* R E/0001*]
//> 1: [- L G/1111][G L B/1000* R F/0111][F R E/0001*]
// B has come to G before E to F.
//> 1: [- L G/1111][G R F/0111][F R E/0001*]
//> 0: [- L G/1111][G R F/0111*]
//> 0: [- L G/1111*]
//> 0:
// In time: B goes on beside E when D has ended, before F.
//| 0.0 .A.....A.....A.C.C...C...E.....E.E..B.....B.G.....G.G
//| 0.1 (16)B.......D.....D.......D.F
