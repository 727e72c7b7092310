// Where the warp goes as one, nobody waits: each side has its own last read, also of what only the
// other side reads.
    mov.b32 r0, tid.x
    mul.i32 r1, r0, 3
    mov.b32 r3, ctaid.x
    setp.eq.i32 p0, r3, 0 !last 0
@p0 bra T !reconverge J !uni
    add.i32 r2, r1, 1 !last 0
    bra J
T:  add.i32 r2, r1, 2 !last 0
J:  shl.b32 r0, r0, 2 !last 0
    add.i32 r0, r0, 0x10000000 !last 0
    st.global.b32 [r0], r2 !last 0,1
    exit
