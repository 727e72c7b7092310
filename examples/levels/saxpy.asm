// The kernel of examples/saxpy.cu by hand: one shift makes both offsets.
.version 2

.kernel saxpy
    .param n 0 4
    .param a 4 4
    .param x 8 8
    .param y 16 8
    .registers 4
    .predicates 1
        mov.b32 r0, ctaid.x !uniform
        mov.b32 r1, ntid.x !uniform
        mov.b32 r2, tid.x !affine
        mad.i32 r0, r0, r1, r2 !last 0,1,2 !affine
        setp.ge.s32 p0, r0, c[0]
  @p0   bra done !reconverge done !P
        shl.b32 r0, r0, 2 !last 0 !affine
        add.i32 r1, r0, c[8] !affine
        add.i32 r2, r0, c[16] !last 0 !affine
        ld.global.b32 r0, [r1] !last 0
        ld.global.b32 r3, [r2]
        fma.f32 r3, r0, c[4], r3 !last 0,2
        st.global.b32 [r2], r3 !last 0,1
done:
        exit
