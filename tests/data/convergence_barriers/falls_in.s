// Threads that run into a meeting place without having been parted are armed just before it.
    setp.eq.i32 p1, r1, 0
    setp.eq.i32 p0, r0, 0
@p1 bra T !uni
    add.i32 r1, r1, 1
    bssy b0, J
J:  bsync b0
    exit
T:  bssy b0, J
@p0 bra J !reconverge J
    add.i32 r0, r0, 2
    bra J
