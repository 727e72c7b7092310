// Vaidya et al., "SIMD divergence optimization through intra-warp compaction", §4.1: adds of mask 0xF0F0 under basic cycle
// compression: Q1 and Q3 are issued, Q0 and Q2 are not. The text fixes the mask and that two passes are left of four; the
// program and the machine are ours. In time: with as many lanes as threads a result is there 6 cycles after its
// instruction issues; passes after the first make that later by a cycle each. So 9 in A (four passes), and in B, and
// in C under the mask 0x0F0F, 7. What reads two registers takes a cycle more.
//: cycle-compression = bcc
//: sm.warp-width = 16
//: threads = 16
.kernel k
.registers 16
.predicates 1
A:
        mov.b32 r10, tid.x
        and.b32 r1, r10, 4
        setp.ne.i32 p0, r1, 0
  @p0   bra B !reconverge G
C:
        add.i32 r4, r10, 1
        add.i32 r4, r4, 1
        add.i32 r4, r4, 1
        add.i32 r4, r4, 1
        bra G
B:
        add.i32 r12, r10, 1
        add.i32 r12, r12, 1
        add.i32 r12, r12, 1
        add.i32 r12, r12, 1
G:
        exit
// A in 1, 10, 19, 28; B 3 cycles after the branch, in 31, 38, 45, 52; C from 54, to 75, and its branch.
//| 0.0 .A........A........A........A..B......B......B......B.C......C......C......C.C..G
