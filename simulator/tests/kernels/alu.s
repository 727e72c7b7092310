// A loop of integer arithmetic in registers; one word a thread at the end.
.kernel alu
    .param out 0 8
    .param turns 8 4
    .registers 6
    .predicates 1
        mov.b32 r0, ctaid.x
        mov.b32 r1, ntid.x
        mov.b32 r2, tid.x
        mad.i32 r0, r0, r1, r2
        mov.b32 r1, c[8]
        mov.b32 r2, r0
        mov.b32 r3, 1
LOOP:
        mad.i32 r2, r2, r3, r0
        xor.b32 r3, r3, r2
        add.i32 r4, r2, 7
        shr.u32 r5, r4, 3
        add.i32 r3, r3, r5
        and.b32 r4, r3, r2
        add.i32 r2, r2, r4
        add.i32 r1, r1, -1
        setp.gt.s32 p0, r1, 0
  @p0   bra LOOP !reconverge END
END:
        shl.b32 r4, r0, 2
        add.i32 r4, r4, c[0]
        st.global.b32 [r4], r2
        exit
