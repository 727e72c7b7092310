// A barrier that counts writes its result when it opens: who waits behind it still reads the result,
// and what was brought is read again by the side that comes later.
    mov.b32 r0, tid.x
    setp.lt.u32 p0, r0, 3
    setp.eq.i32 p1, r0, 1
@p0 bra T !reconverge J
    bar.red.or p2, p1
    sel.b32 r1, p2, 5, r0
    bra J
T:  bar.red.or p2, p1
    sel.b32 r1, p2, 7, r0
J:  shl.b32 r0, r0, 2 !last 0
    add.i32 r0, r0, 0x10000000 !last 0
    st.global.b32 [r0], r1 !last 0,1
    exit
