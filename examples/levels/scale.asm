// x[i] *= a, written by hand: no counts of registers, no annotations.
.kernel scale
    .param x 0 8
    .param a 8 4
    .param n 12 4
        mov.b32 r0, ctaid.x
        mov.b32 r1, ntid.x
        mov.b32 r2, tid.x
        mad.i32 r0, r0, r1, r2
        setp.ge.s32 p0, r0, c[12]
  @p0   bra done
        shl.b32 r1, r0, 2
        add.i32 r2, r1, c[0]
        ld.global.b32 r3, [r2]
        mul.f32 r3, r3, c[8]
        st.global.b32 [r2], r3
done:
        exit
