// Armed in front of the branch; both sides come to the meeting place.
    setp.eq.i32 p0, r0, 0
    bssy b0, J
@p0 bra T !reconverge J
    add.i32 r0, r0, 1
    bra J
T:  add.i32 r0, r0, 2
J:  bsync b0
    exit
