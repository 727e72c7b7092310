// Dissertation, Figure 4.6: warps that cannot be compacted, and the memory divergence that compaction causes. The drawing is
// lost. The text fixes that compaction shuffles threads between warps, that there are as many warps after it as before, and that
// accesses diverge. The branch is ours: 2, 3, 4 and 7 go to B, where lane 3 is wanted twice, the others to C, where lane 1 is:
// two warps before, two after, on either side. In B each thread loads from its own 8 bytes, so that a home warp's threads are in one
// line of 32. As they were formed, 2 and 3 share a warp with 4: three accesses to lines for two. `dissertation_4_6_capri.s` is
// what prediction makes of it.
//: divergence = block-compaction
//: l1.line = 32
//: threads = 8
.kernel k
.registers 12
.predicates 2
H:
        mov.b32 r10, tid.x
        mov.b32 r5, 0
        shl.b32 r2, r10, 3
        add.i32 r2, r2, 0x10000000
A:
        mov.b32 r1, 0x9c
        shr.u32 r1, r1, r10
        and.b32 r1, r1, 1
        setp.ne.i32 p0, r1, 0
  @p0   bra B !reconverge G
C:
        add.i32 r4, r10, 1
        bra G
B:
        ld.global.b32 r3, [r2]
        add.i32 r4, r3, 1
G:
        add.i32 r5, r5, 1
        setp.lt.s32 p1, r5, 2
  @p1   bra A !reconverge I
I:
        exit
//= [- 0123 4567 H 2*] H:0123 H:4567
//> 0: [- 0123 4567 H 2*] A:0123 H:4567
//> 1: [- 0123 4567 H 2*] A:0123 A:4567
//> 0: [- 0123 4567 H 1*][G 01-- ---- C 0][G --23 ---- B 0] A:4567
//> 1: [- 0123 4567 G 0][G 01-- -56- C 0][G --23 4--7 B 2*] B:---7 B:4-23
// In time, derived from the branches of the first round, which are in 40 and 41: B is 3 cycles after the last one, in 44 and 45.
// A load from a closed row takes 96 cycles to its use, and the next one of that row comes 10 later (`ccd-l`): 7 is first, in 140;
// 4, 2 and 3 have its line, but wait for the other until 150. C is 2 cycles after that, G 3 after the branch of C in 155.
// In the second round both lines are in the cache: 13 cycles for one access, 14 for two, one a cycle.
//| 0.0 .H.H...H.....H.A.....A......A.....A.....A...B(95)B(11)C.C...G......G.....G...A.....A......A.....A.....A...B(12)B...C.C...G.......G.....G...I
//| 1.0 ..H.H...H.....H.A.....A......A.....A.....A...B(104)B..C.C...G......G.....G...A.....A......A.....A.....A...B(13)B..C.C...G.....G.....G...I
