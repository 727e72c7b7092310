// Straight code: an operand that is read twice carries the bit twice, one that is overwritten is
// released all the same, a pair is released when both halves are dead, predicates like registers.
    mov.b32 r0, tid.x
    add.i32 r1, r0, r0
    add.i32 r1, r1, r1 !last 0,1
    cvt.u64.u32 r2:3, r1 !last 0
    add.i64 r4:5, r2:3, r2:3
    add.i32 r6, r3, 1 !last 0
    low.b64 r7, r4:5 !last 0
    setp.lt.u32 p0, r0, 3
    and.pred p1, p0, p0
    or.pred p0, p0, p1 !last 0,1
    sel.b32 r7, p0, r7, r6 !last 0,1,2
    shl.b32 r0, r0, 2 !last 0
    add.i32 r0, r0, 0x10000000 !last 0
    st.global.b32 [r0], r7 !last 0,1
    exit
