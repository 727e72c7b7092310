// Lanes leave the loop in different rounds. r2 is dead for those that go on, which compute it anew,
// but those that have left and wait at OUT read it: it lives through the loop, as does r0. r4 is only
// read by who goes on, in the same round.
    mov.b32 r0, tid.x
    mov.b32 r1, 0
    mov.b32 r3, 0
L:  mul.i32 r2, r1, 3
    setp.ge.s32 p0, r1, r0
@p0 bra OUT !reconverge OUT
    add.i32 r4, r2, 1
    add.i32 r3, r3, r4 !last 1
    add.i32 r1, r1, 1 !last 0
    bra L
OUT:
    add.i32 r2, r2, r3 !last 0,1
    shl.b32 r0, r0, 2 !last 0
    add.i32 r0, r0, 0x10000000 !last 0
    st.global.b32 [r0], r2 !last 0,1
    exit
