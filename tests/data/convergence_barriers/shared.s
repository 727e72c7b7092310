// Three branches that meet in one place share a barrier; the uniform one needs none for itself, but
// its side that comes straight to the meeting place passes by the `bsync`.
    setp.eq.i32 p0, r0, 0
    setp.eq.i32 p1, r1, 0
@p1 bra K !reconverge J !uni
    bssy b0, J
@p0 bra J !reconverge J
    setp.eq.i32 p0, r0, 1
@p0 bra J !reconverge J
    add.i32 r0, r0, 2
J:  bsync b0
K:  exit
