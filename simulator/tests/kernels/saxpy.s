.kernel saxpy
    .param n 0 4
    .param a 4 4
    .param x 8 8
    .param y 16 8
    .registers 6
    .predicates 1
        mov.b32 r0, ctaid.x
        mov.b32 r1, ntid.x
        mov.b32 r2, tid.x
        mad.i32 r0, r0, r1, r2
        setp.ge.s32 p0, r0, c[0]
  @p0   bra DONE !reconverge DONE
        shl.b32 r1, r0, 2
        add.i32 r2, r1, c[8]
        ld.global.b32 r3, [r2]
        add.i32 r4, r1, c[16]
        ld.global.b32 r5, [r4]
        fma.f32 r5, r3, c[4], r5
        st.global.b32 [r4], r5
DONE:
        exit
