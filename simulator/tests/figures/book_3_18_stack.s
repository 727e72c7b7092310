// The book, Algorithm 3.1 and Figure 3.18 with a single path: C waits for its load when B has ended.
//: divergence = simt-stack
.kernel k
.registers 12
.predicates 2
A:
        mov.b32 r10, tid.x
        shl.b32 r11, r10, 2
        add.i32 r11, r11, 0x10000000
        ld.global.b32 r0, [r11]
        add.i32 r0, r0, r10
        setp.gt.s32 p0, r0, 1
  @p0   bra B !reconverge D
C:
        ld.global.b32 r1, [r11+128]
        add.i32 r2, r1, r10
        bra D
B:
        ld.global.b32 r1, [r11+64]
        mul.i32 r2, r1, r10
D:
        add.i32 r3, r2, r10
        exit
//| 0.0 .A.....A.....A.....A(95)A......A.....A..B(85)B.C(85)CC.....DD
