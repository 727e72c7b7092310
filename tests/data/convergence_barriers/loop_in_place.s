// The meeting place is itself the head of a loop: those that come round again pass by the `bsync` of the
// branch in front, and into the loop's own barrier only from outside.
    setp.eq.i32 p0, r0, 0
    bssy b0, L
@p0 bra L !reconverge L
    add.i32 r0, r0, 1
L:  bsync b0
    bssy b0, OUT
M:  add.i32 r0, r0, 1
    setp.lt.s32 p0, r0, r1
@p0 bra M !reconverge OUT
OUT:
    bsync b0
    exit
