// Dissertation, Figure 4.7 (b): the program of (c) (`dissertation_4_7.s`) under block compaction. In time, every
// branch is a barrier: in both rounds B begins when the last warp has come to the branch of A. The last exit is in cycle
// 136, under CAPRI, which learns in the first round, in 131.
//: divergence = block-compaction
//: threads = 12
.kernel k
.registers 12
.predicates 3
H:
        mov.b32 r10, tid.x
        mov.b32 r5, 0
A:
        mov.b32 r1, 0x39f
        shr.u32 r1, r1, r10
        and.b32 r1, r1, 1
        setp.ne.i32 p0, r1, 0
  @p0   bra B !reconverge G
C:
        add.i32 r4, r10, 1
        bra G
B:
        add.i32 r1, r10, 1
        add.i32 r1, r1, 1
G:
        add.i32 r5, r5, 1
        setp.lt.s32 p2, r5, 2
  @p2   bra A !reconverge I
I:
        exit
//| 0.0 .H..H..A.....A......A.....A.....A....B.....B(9)G.....G.....G....A.....A......A.....A.....A....B.....B(9)G.....G.....G....I
//| 1.0 ..H..H..A.....A......A.....A.....A....B.....B..C.C....G.....G.....G....A.....A......A.....A.....A....B.....B..C.C....G.....G.....G....I
//| 2.0 ...H..H..A.....A......A.....A.....A....B.....B..C.C....G.....G.....G....A.....A......A.....A.....A....B.....B..C.C....G.....G.....G....I
