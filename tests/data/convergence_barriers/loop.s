// A loop that is left in different rounds is armed once, in front; the jump back passes by. Inside, a
// branch that meets in every round has the next number.
    mov.b32 r1, 0
    bssy b0, OUT
L:  setp.ge.s32 p0, r1, r0
@p0 bra OUT !reconverge OUT
    and.b32 r2, r1, 1
    setp.eq.i32 p0, r2, r0
    bssy b1, J
@p0 bra J !reconverge J
    add.i32 r1, r1, 2
J:  bsync b1
    add.i32 r1, r1, 1
    bra L
OUT:
    bsync b0
    exit
