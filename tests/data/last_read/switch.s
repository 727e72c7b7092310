// A switch in a loop: cases meet at S, a break leaves to OUT. r4 is read by one case only, but that
// case can come later than any other. r5 is made and read within one case.
    mov.b32 r0, tid.x
    mov.b32 r1, 0
    mov.b32 r2, 0
    mul.i32 r4, r0, 7
    min.u32 r6, r0, 1
L:  and.b32 r3, r1, 3
    add.i32 r3, r3, r6 !last 0
    setp.eq.i32 p0, r3, 1
@p0 bra ONE !reconverge S
    setp.eq.i32 p0, r3, 2
@p0 bra TWO !reconverge S
    setp.eq.i32 p1, r3, 4
    add.i32 r2, r2, r3
    bra S
ONE:
    add.i32 r2, r2, r4
    setp.eq.i32 p1, r3, 4
    bra S
TWO:
    mul.i32 r5, r3, r4
    setp.eq.i32 p1, r3, 4
    add.i32 r2, r2, r5 !last 1
S:
@p1 bra OUT !reconverge OUT
    add.i32 r1, r1, 1
    setp.lt.s32 p0, r1, 5
@p0 bra L !reconverge OUT
OUT:
    add.i32 r2, r2, r1 !last 0,1
    shl.b32 r0, r0, 2 !last 0
    add.i32 r0, r0, 0x10000000 !last 0
    st.global.b32 [r0], r2 !last 0,1
    exit
