// Dissertation, Figure 3.5 under the scoreboard without false dependences (§3.2.2, §3.3.1).
//: divergence = dual-path
//: dual-path.scoreboard = optimistic
.kernel k
.registers 12
.predicates 2
A:
        mov.b32 r10, tid.x
        ld.global.b32 r0, [0x10000000]
        setp.eq.i32 p0, r10, 0
  @p0   bra B !reconverge G
C:
        add.i32 r5, r0, r2
        setp.lt.u32 p1, r10, 3
  @p1   bra D !reconverge F
E:
        sub.i32 r4, r1, r3
        bra F
D:
        add.i32 r4, r1, r3
        bra F
F:
        ld.global.b32 r7, [0x10000010]
        bra G
B:
        ld.global.b32 r1, [0x10000020]
        bra G
G:
        add.i32 r8, r1, r7
        exit
//= [- L A/1111*]
//> 0: [- L A/1111*] A waits for r0
//> 0: [- L G/1111][G L B/1000* R C/0111*] C waits for r0 B waits for r0
//> 1: [- L G/1111][G L B/1000* R C/0111*] C waits for r0 B waits for r0 r1
//! r0: [- L G/1111][G L B/1000* R C/0111*] B waits for r1
// D and E do not wait for the r1 of B.
//> 0: [- L G/1111][G L B/1000 R F/0111][F L D/0110* R E/0001*]
//> 1: [- L G/1111][G L B/1000 R F/0111][F R E/0001*]
//> 0: [- L G/1111][G L B/1000* R F/0111*] B waits for r1
//> 0: [- L G/1111][G L B/1000* R F/0111*] F waits for r7 B waits for r1
//> 0: [- L G/1111][G L B/1000*] B waits for r1
// G waits for both.
//> 1: [- L G/1111*] G waits for r1 r7
//! r1: [- L G/1111*] G waits for r7
//! r7: [- L G/1111*]
//> 1:
