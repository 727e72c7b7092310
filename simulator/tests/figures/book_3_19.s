// The book, Algorithm 3.2 and Figure 3.19: the branches at the ends of A and C have their post-dominator
// at F, behind the loop, and E as their likely convergence point. Lane 0 goes from A to B; lane 1
// leaves the loop by D, lanes 2 and 3 come to E by C.
//: divergence = likely-convergence
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
//= [- Start/1111*]
//> 0: [- A/1111*]
//> 0: [- X/1111*]
// Three entries for the branch on X: the LPC entry for E, B and C, whose likely place is E.
//> 0: [- F/1111][F E/0000 ~][F B/1000 ~E][F C/0111* ~E]
// The branch at the end of C has the same two places, and uses the entry that is there.
//> 0: [- F/1111][F E/0000 ~][F B/1000 ~E][F E/0011 ~E][F D/0100* ~E]
// D is popped at F; lanes 2 and 3, which stand at E, are merged into the LPC entry.
//> 0: [- F/1111][F E/0011 ~][F B/1000* ~E]
// So is B, and E is executed by three lanes together.
//> 0: [- F/1111][F E/1011*]
//> 0: [- F/1111][F A/1011*]
//> 0: [- F/1111][F X/1011*]
//> 0: [- F/1111][F E/0000 ~][F B/1000 ~E][F C/0011* ~E]
//> 0: [- F/1111][F E/0011 ~][F B/1000* ~E]
//> 0: [- F/1111][F E/1011*]
//> 0: [- F/1111][F A/1011*]
// The loop ends for them too.
//> 0: [- F/1111*]
//> 0:
