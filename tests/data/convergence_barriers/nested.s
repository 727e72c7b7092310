// A branch inside a side of another: each number is free again where its threads have met.
    setp.eq.i32 p0, r0, 0
    setp.eq.i32 p1, r1, 0
    bssy b0, J
@p0 bra J !reconverge J
    bssy b1, I
@p1 bra T !reconverge I
    add.i32 r0, r0, 1
    bra I
T:  add.i32 r0, r0, 2
I:  bsync b1
    add.i32 r0, r0, 3
    bssy b1, K
@p1 bra K !reconverge K
    add.i32 r0, r0, 4
K:  bsync b1
    add.i32 r0, r0, 5
J:  bsync b0
    exit
