// The book, Algorithm 3.2 and Figure 3.19, under opportunistic early reconvergence (section 3.4.2): lane 0 goes
// from A by B to E; lane 1 leaves the loop by D, lanes 2 and 3 come to E by C.
//: divergence = multi-path
//: multi-path.early-reconvergence = true
.kernel k
.registers 12
.predicates 4
Start:
        mov.b32 r10, tid.x
        setp.eq.i32 p0, r10, 0
        setp.eq.i32 p1, r10, 1
A:
        setp.ge.s32 p2, r1, 2
  @p2   bra F !reconverge F
X:
  @!p0  bra C !reconverge F
B:
        add.i32 r2, r10, 1
        bra E
C:
  @p1   bra D !reconverge F
E:
        add.i32 r1, r1, 1
        bra A
D:
        add.i32 r3, r10, 1
F:
        exit
//=  Start/1111*
//> 0:  A/1111*
//> 0:  X/1111*
//> 0: [F 1111] C/0111* B/1000*
// The branch at the end of C: no other split began at D or E. D ends at F, where it waits.
//> 0: [F 1111] D/0100* B/1000* E/0011*
//> 0: [F 1111] F/0100w B/1000* E/0011*
// The jump of B begins a split at E, where one began that has not gone on: they are one.
//> 1: [F 1111] F/0100w E/1011*
//> 1: [F 1111] F/0100w A/1011*
//> 1: [F 1111] F/0100w X/1011*
// The next turn, in which B is at E first: all lanes of C fall through to it, and begin a split there too.
//> 1: [F 1111] F/0100w C/0011* B/1000*
//> 0: [F 1111] F/0100w C/0011* E/1000*
//> 1: [F 1111] F/0100w E/1011*
//> 1: [F 1111] F/0100w A/1011*
