// Iterations until |z| > 2 for each point of a picture; x and y steps in c[16], c[20].
.kernel mandelbrot
    .param out 0 8
    .param width 8 4
    .param limit 12 4
    .param dx 16 4
    .param dy 20 4
    .registers 12
    .predicates 2
        mov.b32 r0, ctaid.x
        mov.b32 r1, ntid.x
        mov.b32 r2, tid.x
        mad.i32 r0, r0, r1, r2
        mov.b32 r1, ctaid.y
        mov.b32 r2, ntid.y
        mov.b32 r3, tid.y
        mad.i32 r1, r1, r2, r3
        cvt.f32.s32 r2, r0
        fma.f32 r2, r2, c[16], r11
        add.f32 r2, r2, -2.0
        cvt.f32.s32 r3, r1
        mul.f32 r3, r3, c[20]
        add.f32 r3, r3, -1.0
        mov.b32 r4, 0
        mov.b32 r5, 0
        mov.b32 r6, 0
LOOP:
        mul.f32 r7, r4, r4
        mul.f32 r8, r5, r5
        add.f32 r9, r7, r8
        setp.gt.f32 p0, r9, 4.0
  @p0   bra END !reconverge END
        mul.f32 r10, r4, r5
        sub.f32 r4, r7, r8
        add.f32 r4, r4, r2
        add.f32 r10, r10, r10
        add.f32 r5, r10, r3
        add.i32 r6, r6, 1
        setp.lt.s32 p1, r6, c[12]
  @p1   bra LOOP !reconverge END
END:
        mov.b32 r7, c[8]
        mad.i32 r7, r1, r7, r0
        shl.b32 r7, r7, 2
        add.i32 r7, r7, c[0]
        st.global.b32 [r7], r6
        exit
