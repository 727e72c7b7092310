// Vaidya et al., Figure 7: settings of swizzled cycle compression by the algorithm of Figure 6. The drawing, with its
// mask, is lost. The text fixes that as few cycles are taken as the active lanes need; the mask is ours: 0x1133, where
// all four quads have work (basic cycle compression leaves out nothing) and 6 lanes need C(6/4) = 2 passes. Figure 6
// gives Q0 Q0 Q1.swizzle(0,2) Q2.swizzle(0,3), then Q3 Q1 - - (`figure_6_settings`). The other side, 0xEECC, has 10 lanes: 3.
// In time (see `cycle_compression_section_4_1.s`): an instruction of B is 7 cycles after the one before, of C 8.
//: cycle-compression = scc
//: sm.warp-width = 16
//: threads = 16
.kernel k
.registers 16
.predicates 1
A:
        mov.b32 r10, tid.x
        mov.b32 r1, 0x1133
        shr.u32 r1, r1, r10
        and.b32 r1, r1, 1
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
// The two moves of A are in 1 and 2; passes of the second start in 5, so that its result is there in 5 + 9 = 14. The shift
// reads two registers: 24, then 33 and 42. B in 45, 52, 59, 66; C from 68, to 92; G 3 cycles after the branch in 94.
//| 0.0 .AA(11)A(9)A........A........A..B......B......B......B.C.......C.......C.......C.C..G
