// Shared memory in two dimensions behind a barrier, read backwards; threads off the edge do not load, and
// the last rows end early. Loads on both sides of the barrier, with stores of other warps between them.
// launch 2 2 1  9 7 1  @0 0 @3200 0 17 13
.kernel plain
    .param in 0 8
    .param out 8 8
    .param width 16 4
    .param height 20 4
    .shared 256
        mov.b32 r0, ctaid.x
        mov.b32 r1, tid.x
        mad.i32 r0, r0, 9, r1
        mov.b32 r2, ctaid.y
        mov.b32 r3, tid.y
        mad.i32 r2, r2, 7, r3
        mad.i32 r4, r3, 9, r1
        shl.b32 r4, r4, 2
        add.i32 r4, r4, 0x1000000
        mad.i32 r5, r2, c[16], r0
        shl.b32 r5, r5, 2
        setp.lt.s32 p0, r0, c[16]
        setp.lt.s32 p1, r2, c[20]
        and.pred p0, p0, p1
  @!p0  bra L1 !reconverge L1 !P
        add.i32 r6, r5, c[0]
        ld.global.b32 r7, [r6]
        st.shared.b32 [r4], r7
L1:
        bar.sync
  @p1   bra L2 !reconverge L2 !P
        exit
L2:
        sub.i32 r8, 8, r1
        mad.i32 r8, r3, 9, r8
        shl.b32 r8, r8, 2
        add.i32 r8, r8, 0x1000000
        ld.shared.b32 r9, [r8]
        add.i32 r10, r5, c[8]
        setp.lt.s32 p0, r0, c[16]
  @!p0  bra L3 !reconverge L3 !P
        st.global.b32 [r10], r9
        add.i32 r6, r5, c[0]
        ld.global.b32 r7, [r6+4]
        add.i32 r7, r7, r9
        st.global.b32 [r10+1024], r7
L3:
        exit

.kernel decoupled
    .param in 0 8
    .param out 8 8
    .param width 16 4
    .param height 20 4
    .shared 256
    .affine AFFINE
        @deq.pred 0 bra L1 !reconverge L1 !P
        ld.global.b32 r7, [deq.data 1]
        st.shared.b32 [deq.addr 2], r7
L1:
        bar.sync 3
        @deq.pred 4 bra L2 !reconverge L2 !P
        exit
L2:
        ld.shared.b32 r9, [deq.addr 5]
        mov.pred p0, deq.pred 6
        @!deq.pred 7 bra L3 !reconverge L3 !P
        st.global.b32 [deq.addr 8], r9
        ld.global.b32 r7, [deq.data 9]
        add.i32 r7, r7, r9
        st.global.b32 [deq.addr 10], r7
L3:
        exit
AFFINE:
        mov.b32 r0, ctaid.x
        mov.b32 r1, tid.x
        mad.i32 r0, r0, 9, r1
        mov.b32 r2, ctaid.y
        mov.b32 r3, tid.y
        mad.i32 r2, r2, 7, r3
        mad.i32 r4, r3, 9, r1
        shl.b32 r4, r4, 2
        add.i32 r4, r4, 0x1000000
        mad.i32 r5, r2, c[16], r0
        shl.b32 r5, r5, 2
        setp.lt.s32 p0, r0, c[16]
        setp.lt.s32 p1, r2, c[20]
        and.pred p0, p0, p1
        mov.pred p2, !p0
        enq.pred 0, p2
  @p2   bra A1 !reconverge A1 !P
        add.i32 r6, r5, c[0]
        enq.data.global.b32 1, [r6]
        enq.addr.shared.b32 2, [r4]
A1:
        bar.sync 3
        enq.pred 4, p1
  @p1   bra A2 !reconverge A2 !P
        exit
A2:
        sub.i32 r8, 8, r1
        mad.i32 r8, r3, 9, r8
        shl.b32 r8, r8, 2
        add.i32 r8, r8, 0x1000000
        enq.addr.shared.b32 5, [r8]
        add.i32 r10, r5, c[8]
        setp.lt.s32 p0, r0, c[16]
        enq.pred 6, p0
        enq.pred 7, p0
  @!p0  bra A3 !reconverge A3 !P
        enq.addr.global.b32 8, [r10]
        add.i32 r6, r5, c[0]
        enq.data.global.b32 9, [r6+4]
        enq.addr.global.b32 10, [r10+1024]
A3:
        exit
