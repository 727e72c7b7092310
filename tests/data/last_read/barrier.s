// A side that waits at a barrier lets the other run. Both write r1 before the barrier and read it
// behind it, so that neither needs the r1 of before; but the one that waits needs its own. r5 is read
// last before the barrier on both sides, r6 behind it.
    mov.b32 r0, tid.x
    mul.i32 r1, r0, 3
    mul.i32 r5, r0, 5
    shl.b32 r6, r0, 2
    setp.lt.u32 p0, r0, 3
@p0 bra T !reconverge J
    add.i32 r2, r1, r5
    mov.b32 r1, r2 !last 0
    bar.sync
    add.i32 r3, r1, 1
    bra J
T:  mov.b32 r1, r5
    bar.sync
    add.i32 r3, r1, 2
J:  add.i32 r6, r6, 0x10000000 !last 0
    add.i32 r3, r3, r0 !last 0,1
    st.global.b32 [r6], r3 !last 0,1
    exit
