// Loops of a different length in each thread, a clamp (two tuples), a choice by a predicate, a remainder,
// bytes and doubles, and an atomic at an affine address.
// launch 3 1 1  37 1 1  @0 0 @1024 0 29
.kernel plain
    .param in 0 8
    .param out 8 8
    .param n 16 4
        mov.b32 r0, ctaid.x
        mov.b32 r1, tid.x
        mad.i32 r0, r0, 37, r1
        min.s32 r2, r1, c[16]
        add.i32 r2, r2, c[0]
        ld.global.u8 r3, [r2]
        setp.lt.u32 p0, r1, 10
        sub.i32 r4, 36, r1
        sel.b32 r4, p0, r4, r1
        shl.b32 r4, r4, 2
        add.i32 r4, r4, c[0]
        ld.global.b32 r5, [r4]
        add.i32 r3, r3, r5
        and.b32 r6, r1, 7
        shl.b32 r6, r6, 3
        add.i32 r6, r6, c[0]
        ld.global.b64 r8:9, [r6+64]
        xor.b32 r3, r3, r8
        add.i32 r3, r3, r9
        mov.b32 r7, r1
LOOP:
        setp.lt.s32 p0, r7, 3
  @p0   bra END !reconverge END !P
        add.i32 r10, r7, c[0]
        ld.global.s8 r11, [r10]
        mad.i32 r3, r3, 5, r11
        sub.i32 r7, r7, 9
        bra LOOP
END:
        shl.b32 r12, r0, 2
        add.i32 r12, r12, c[8]
        st.global.b32 [r12], r3
        sub.i32 r13, 36, r1
        shl.b32 r13, r13, 2
        add.i32 r13, r13, c[8]
        atom.add.i32.global r14, [r13+1024], r3
        exit

.kernel decoupled
    .param in 0 8
    .param out 8 8
    .param n 16 4
    .affine AFFINE
        ld.global.u8 r3, [deq.data 0]
        ld.global.b32 r5, [deq.data 1]
        add.i32 r3, r3, r5
        ld.global.b64 r8:9, [deq.data 2]
        xor.b32 r3, r3, r8
        add.i32 r3, r3, r9
LOOP:
        @deq.pred 3 bra END !reconverge END !P
        ld.global.s8 r11, [deq.data 4]
        mad.i32 r3, r3, 5, r11
        bra LOOP
END:
        st.global.b32 [deq.addr 5], r3
        atom.add.i32.global r14, [deq.addr 6], r3
        exit
AFFINE:
        mov.b32 r0, ctaid.x
        mov.b32 r1, tid.x
        mad.i32 r0, r0, 37, r1
        min.s32 r2, r1, c[16]
        add.i32 r2, r2, c[0]
        enq.data.global.u8 0, [r2]
        setp.lt.u32 p0, r1, 10
        sub.i32 r4, 36, r1
        sel.b32 r4, p0, r4, r1
        shl.b32 r4, r4, 2
        add.i32 r4, r4, c[0]
        enq.data.global.b32 1, [r4]
        and.b32 r6, r1, 7
        shl.b32 r6, r6, 3
        add.i32 r6, r6, c[0]
        enq.data.global.b64 2, [r6+64]
        mov.b32 r7, r1
AGAIN:
        setp.lt.s32 p0, r7, 3
        enq.pred 3, p0
  @p0   bra OVER !reconverge OVER !P
        add.i32 r10, r7, c[0]
        enq.data.global.s8 4, [r10]
        sub.i32 r7, r7, 9
        bra AGAIN
OVER:
        shl.b32 r12, r0, 2
        add.i32 r12, r12, c[8]
        enq.addr.global.b32 5, [r12]
        sub.i32 r13, 36, r1
        shl.b32 r13, r13, 2
        add.i32 r13, r13, c[8]
        enq.addr.global.b32 6, [r13+1024]
        exit
