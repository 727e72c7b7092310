// c = a · b, square matrices of n rows, one element a thread.
.kernel matmul
    .param n 0 4
    .param a 8 8
    .param b 16 8
    .param c 24 8
    .registers 11
    .predicates 1
        mov.b32 r0, ctaid.x
        mov.b32 r1, ntid.x
        mov.b32 r2, tid.x
        mad.i32 r0, r0, r1, r2
        mov.b32 r1, ctaid.y
        mov.b32 r2, ntid.y
        mov.b32 r3, tid.y
        mad.i32 r1, r1, r2, r3
        mov.b32 r2, c[0]
        mul.i32 r3, r1, r2
        shl.b32 r4, r3, 2
        add.i32 r4, r4, c[8]
        shl.b32 r5, r0, 2
        add.i32 r5, r5, c[16]
        shl.b32 r6, r2, 2
        mov.b32 r7, 0
        mov.b32 r10, r2
LOOP:
        ld.global.b32 r8, [r4]
        ld.global.b32 r9, [r5]
        fma.f32 r7, r8, r9, r7
        add.i32 r4, r4, 4
        add.i32 r5, r5, r6
        add.i32 r10, r10, -1
        setp.gt.s32 p0, r10, 0
  @p0   bra LOOP !reconverge END
END:
        add.i32 r3, r3, r0
        shl.b32 r3, r3, 2
        add.i32 r3, r3, c[24]
        st.global.b32 [r3], r7
        exit
