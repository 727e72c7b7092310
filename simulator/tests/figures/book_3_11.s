// The book, Figure 3.11: the spin lock of Figure 3.5 without deadlock. Who has the lock waits at the
// barrier at C until the others, who get nowhere, have yielded; then it goes on alone, gives the lock
// back, and the next one gets it.
//: divergence = convergence-barrier
//: convergence-barrier.yield-after = 1
.kernel k
.registers 12
.predicates 2
A:
        mov.b32 r0, 0x10000000
        mov.b32 r2, 1
        bssy b0, C
B:
        atom.cas.b32.global r1, [r0], r2, 0
        setp.ne.i32 p0, r1, 0
  @p0   bra B !reconverge C
C:
        bsync b0
D:
        atom.exch.b32.global _, [r0], 0
        exit
//=  A/1111*
//> 0: [b0 C 1111] B/1111*
// The first lane has the lock; it comes to the barrier, and the others spin.
//> 0: [b0 C 1111] C/1000* B/0111
//> 0: [b0 C 1111] C/1000w B/0111*
// They have yielded: it takes part no more.
//> 0: [b0 C 0111] D/1000* B/0111
//> 0: [b0 C 0111] B/0111*
// The second one.
//> 0: [b0 C 0111] C/0100* B/0011
//> 0: [b0 C 0111] C/0100w B/0011*
//> 0: [b0 C 0011] D/0100* B/0011
//> 0: [b0 C 0011] B/0011*
// The third one.
//> 0: [b0 C 0011] C/0010* B/0001
//> 0: [b0 C 0011] C/0010w B/0001*
//> 0: [b0 C 0001] D/0010* B/0001
//> 0: [b0 C 0001] B/0001*
// The last one waits for nobody.
//> 0: [b0 C 0001] C/0001*
//> 0:  D/0001*
//> 0:
