// Sides that meet only at the end are not armed, nor is a branch on which all agree; a branch inside
// one of the sides is.
    setp.eq.i32 p0, r0, 0
    setp.eq.i32 p1, r1, 0
@p0 bra T
@p1 bra U !reconverge U !uni
    add.i32 r0, r0, 1
U:  exit
T:  bssy b0, J
@p1 bra J !reconverge J
    add.i32 r0, r0, 2
J:  bsync b0
    exit
