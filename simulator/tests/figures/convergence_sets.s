// What spec/machine.md says of sets: the sides of a branch use one number for sets of their own; lanes of
// a set need not come to the same `bsync`; who ends leaves its set; who takes part in none does not wait.
//: divergence = convergence-barrier
.kernel k
.registers 12
.predicates 2
A:
        mov.b32 r10, tid.x
        setp.lt.u32 p0, r10, 2
  @p0   bra L
R:
        bssy b0, J
        setp.eq.i32 p1, r10, 3
  @p1   bra X
        bra J
X:
        exit
L:
        bssy b0, J
        setp.eq.i32 p1, r10, 0
  @p1   bra M
J:
        bsync b0
K:
        bsync b0
        exit
M:
        bsync b0
N:
        exit
//=  A/1111*
//> 0:  L/1100* R/0011
//> 0: [b0 J 1100] L/1100* R/0011
//> 0: [b0 J 1100] M/1000* R/0011 J/0100
// One of the set waits at another `bsync` than the other will; the other side arms a set of its own.
//> 0: [b0 J 1100] M/1000w R/0011* J/0100
//> 0: [b0 J 1100][b0 J 0011] M/1000w R/0011* J/0100
//> 0: [b0 J 1100][b0 J 0011] M/1000w X/0001* J/0100 R/0010
// The last lane has ended, and left its set.
//> 0: [b0 J 1100][b0 J 0010] M/1000w J/0100* R/0010
// All of the first set have come to a `bsync`: they go on, each from where it is.
//> 0: [b0 J 0010] N/1000* K/0100 R/0010
// At K nobody takes part and nobody waits.
//> 0: [b0 J 0010] K/0100* R/0010
//> 0: [b0 J 0010] R/0010*
//> 0: [b0 J 0010] J/0010*
//> 0:  K/0010*
//> 0:
