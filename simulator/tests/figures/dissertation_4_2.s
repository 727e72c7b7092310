// Dissertation, Figure 4.2: thread-block compaction of the control flow of Figure 4.1. Each entry:
// reconvergence point, mask of the block, program counter, WCnt; then the warps that are formed. D and E
// are ours: the figure ends before them.
//: divergence = block-compaction
//: threads = 12
.kernel k
.registers 12
.predicates 2
A:
        mov.b32 r10, tid.x
        mov.b32 r1, 0x480
        shr.u32 r1, r1, r10
        and.b32 r1, r1, 1
        setp.ne.i32 p0, r1, 0
  @p0   bra B !reconverge G
C:
        mov.b32 r1, 0x811
        shr.u32 r1, r1, r10
        and.b32 r1, r1, 1
        setp.ne.i32 p1, r1, 0
  @p1   bra D !reconverge F
E:
        add.i32 r4, r10, 1
        bra F
D:
        add.i32 r4, r10, 1
        add.i32 r4, r4, 1
F:
        bra G
B:
        add.i32 r1, r10, 1
        add.i32 r1, r1, 1
G:
        exit
// (a) All three warps are under way in A.
//= [- 0123 4567 89AB A 3*] A:0123 A:4567 A:89AB
// (b) W0 comes to the branch: all of its threads go to C.
//> 0: [- 0123 4567 89AB A 2*][G 0123 ---- ---- C 0] A:4567 A:89AB
// (c) W1: thread 7 goes to B.
//> 1: [- 0123 4567 89AB A 1*][G 0123 456- ---- C 0][G ---- ---7 ---- B 0] A:89AB
// (d), (e) W2: thread A goes to B. WCnt is 0; B is on top, and 7 and A become one warp.
//> 2: [- 0123 4567 89AB G 0][G 0123 456- 89-B C 0][G ---- ---7 --A- B 1*] B:--A7
// (f) B is popped; the threads of C stay three warps (Figure 4.3).
//> 2: [- 0123 4567 89AB G 0][G 0123 456- 89-B C 3*] C:0123 C:456B C:89--
