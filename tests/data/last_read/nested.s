// A uniform branch inside one side of a divergent one: its own sides need not wait for each other, the
// divergent one's do. Behind the inner meeting place r3 is the side's own.
    mov.b32 r0, tid.x
    mul.i32 r1, r0, 3
    mul.i32 r2, r0, 5
    mov.b32 r4, ctaid.x
    setp.eq.i32 p1, r4, 0 !last 0
    setp.lt.u32 p0, r0, 3
@p0 bra T !reconverge J
    add.i32 r3, r1, 1
    bra J
T:
@p1 bra U !reconverge K !uni
    add.i32 r3, r2, 1 !last 0
    bra K
U:  add.i32 r3, r2, 2 !last 0
K:  add.i32 r3, r3, r1
J:  shl.b32 r0, r0, 2 !last 0
    add.i32 r0, r0, 0x10000000 !last 0
    st.global.b32 [r0], r3 !last 0,1
    exit
