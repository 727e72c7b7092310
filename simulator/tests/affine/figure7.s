// The kernel of the paper's Figures 4 and 7: B[i * num + tid] = A[i * num + tid] + 1 for i < dim.
// launch 3 1 1  40 1 1  @0 0 @2048 0 4 120
.kernel plain
    .param a 0 8
    .param b 8 8
    .param dim 16 4
    .param num 20 4
        mov.b32 r0, ctaid.x
        mov.b32 r1, ntid.x
        mul.i32 r0, r0, r1
        mov.b32 r1, tid.x
        add.i32 r0, r0, r1
        shl.b32 r1, r0, 2
        add.i32 r2, r1, c[0]
        add.i32 r3, r1, c[8]
        mov.b32 r4, 0
LOOP:
        ld.global.b32 r5, [r2]
        add.i32 r6, r5, 1
        st.global.b32 [r3], r6
        add.i32 r4, r4, 1
        mov.b32 r7, c[20]
        shl.b32 r7, r7, 2
        add.i32 r2, r7, r2
        add.i32 r3, r7, r3
        setp.ne.i32 p0, r4, c[16]
  @p0   bra LOOP !reconverge END !P
END:
        exit

.kernel decoupled
    .param a 0 8
    .param b 8 8
    .param dim 16 4
    .param num 20 4
    .affine AFFINE
LOOP:
        ld.global.b32 r0, [deq.data 0]
        add.i32 r1, r0, 1
        st.global.b32 [deq.addr 1], r1
        @deq.pred 2 bra LOOP !reconverge END !P
END:
        exit
AFFINE:
        mov.b32 r0, ctaid.x
        mov.b32 r1, ntid.x
        mul.i32 r0, r0, r1
        mov.b32 r1, tid.x
        add.i32 r0, r0, r1
        shl.b32 r1, r0, 2
        add.i32 r2, r1, c[0]
        add.i32 r3, r1, c[8]
        mov.b32 r4, 0
AGAIN:
        enq.data.global.b32 0, [r2]
        enq.addr.global.b32 1, [r3]
        add.i32 r4, r4, 1
        mov.b32 r7, c[20]
        shl.b32 r7, r7, 2
        add.i32 r2, r7, r2
        add.i32 r3, r7, r3
        setp.ne.i32 p0, r4, c[16]
        enq.pred 2, p0
  @p0   bra AGAIN !reconverge OVER !P
OVER:
        exit
