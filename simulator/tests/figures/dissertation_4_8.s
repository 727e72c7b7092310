// Dissertation, Figures 4.7 and 4.8: compaction-adequacy prediction, history `latest`. Each entry:
// reconvergence point, mask of the block, program counter, WCnt; UMask; the table: branches with their
// histories; then the warps in slots.
//: divergence = capri
//: threads = 12
.kernel k
.registers 12
.predicates 2
A:
        mov.b32 r10, tid.x
        mov.b32 r1, 0x39f
        shr.u32 r1, r1, r10
        and.b32 r1, r1, 1
        setp.ne.i32 p0, r1, 0
  @p0   bra B !reconverge G
C:
        add.i32 r4, r10, 1
        add.i32 r4, r4, 1
        bra G
B:
        add.i32 r1, r10, 1
        add.i32 r1, r1, 1
G:
        exit
//= [- 0123 4567 89AB A 3*] A:0123 A:4567 A:89AB
// (a) W0 does not diverge and goes on in B: WCnt of B is 1, UMask 011.
//> 0: [- 0123 4567 89AB A 2*][G 0123 ---- ---- B 1] UMask 011 B:0123 A:4567 A:89AB
// (b) W2 diverges and stalls. The branch enters the table as adequate.
//> 2: [- 0123 4567 89AB A 1*][G ---- ---- --AB C 0][G 0123 ---- 89-- B 1] UMask 011 CAPT BR_A=1 B:0123 A:4567
// (c), (d) W1 diverges and stalls. WCnt is 0. Threads 4, 7, 8 and 9 become two warps beside W0, which
// is as many as came: the history is inadequate, UMask is 111 again.
//> 1: [- 0123 4567 89AB G 0][G ---- -56- --AB C 0][G 0123 4--7 89-- B 3*] CAPT BR_A=0 B:0123 B:49-7 B:8---
