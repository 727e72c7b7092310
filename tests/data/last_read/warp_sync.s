// Who waits at a `warp.sync` for lanes of the other side is parked there: T must leave it the r1 that
// it has made before, although the start of its side does not read r1. That T has ended behind the
// sync, so that r2 is free there, depends on the mask: it is not claimed.
    mov.b32 r0, tid.x
    shl.b32 r2, r0, 2
    add.i32 r2, r2, 0x10000000 !last 0
    setp.lt.u32 p0, r0, 3
@p0 bra T
    mul.i32 r1, r0, 3
    warp.sync 15
    st.global.b32 [r2], r1 !last 1          // unseen 0
    exit
T:  add.i32 r1, r0, 1
    st.global.b32 [r2], r1
    exit
