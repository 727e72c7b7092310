// The inner branch claims to meet behind the place where the outer one's sides meet: threads may then
// be parked where no rule expects them, and nothing is claimed of any register.
    mov.b32 r0, tid.x
    setp.lt.u32 p0, r0, 3
    setp.lt.u32 p1, r0, 1
    shl.b32 r1, r0, 2                         // unseen 0
@p0 bra J !reconverge J
@p1 bra J !reconverge K
    mov.b32 r2, 1
J:  add.i32 r1, r1, 0x10000000            // unseen 0
K:  add.i32 r2, r2, 1                         // unseen 0
    st.global.b32 [r1], r2                    // unseen 0,1
    exit
