// Dissertation, §3.2.3: one side of Figure 3.3 in the scheduler, the other one after a load.
//: divergence = dual-path
//: dual-path.scheduling = constrained
.kernel k
.registers 12
.predicates 2
A:
        mov.b32 r10, tid.x
        setp.eq.i32 p0, r10, 0
  @p0   bra B !reconverge G
C:
        ld.global.b32 r1, [0x10000000]
C2:
        add.i32 r2, r10, 1
        bra G
B:
        ld.global.b32 r1, [0x10000000]
B2:
        add.i32 r2, r10, 1
G:
        exit
//= [- L A/1111*]
//> 0: [- L G/1111][G L B/1000 R C/0111*]
//> 0: [- L G/1111][G L B/1000* R C2/0111]
//> 1: [- L G/1111][G L B2/1000 R C2/0111*] C2 waits for r1
//> 0: [- L G/1111][G L B2/1000*] B2 waits for r1
//> 1: [- L G/1111*] G waits for r1
//> 1:
