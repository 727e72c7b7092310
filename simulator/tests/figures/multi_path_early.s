// The book, §3.4.2, opportunistic early reconvergence: lane 0 goes from A to E, lane 1 from C to D and
// lanes 2 and 3 from C to E, which lane 0 has run into by then.
//: divergence = multi-path
//: multi-path.early-reconvergence = true
.kernel k
.registers 12
.predicates 4
A:
        mov.b32 r10, tid.x
        setp.eq.i32 p0, r10, 0
        setp.eq.i32 p1, r10, 1
  @p0   bra E !reconverge F
C:
        add.i32 r2, r10, 1
  @p1   bra D !reconverge F
E:
        add.i32 r1, r10, 1
E2:
        add.i32 r1, r10, 1
        bra F
D:
        add.i32 r3, r10, 1
F:
        exit
//=  A/1111*
//> 0: [F 1111] E/1000* C/0111*
//> 0: [F 1111] E2/1000* C/0111*
// A new split begins at E, as the first one did: they meet where that stands now, and it waits there.
//> 1: [F 1111][E2 1011] E2/1000w D/0100* E/0011*
//> 1: [F 1111][E2 1011] E2/1000w F/0100w E/0011*
// They go on as one.
//> 0: [F 1111] E2/1011* F/0100w
//> 0:  F/1111*
