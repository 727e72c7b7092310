// The last read of each side is none: the other side runs later in the same vector register.
    mov.b32 r0, tid.x
    mul.i32 r1, r0, 3
    setp.lt.u32 p0, r0, 3
@p0 bra T !reconverge J
    add.i32 r2, r1, 1
    bra J
T:  add.i32 r2, r1, 2
J:  shl.b32 r0, r0, 2 !last 0
    add.i32 r0, r0, 0x10000000 !last 0
    st.global.b32 [r0], r2 !last 0,1
    exit
