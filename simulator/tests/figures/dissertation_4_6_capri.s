// Dissertation, Figure 4.6 and §4.2: the program of `dissertation_4_6.s` under compaction-adequacy prediction. The branch enters
// the table as adequate, and the first round is compacted; as many warps came of it as there were, on either side, so that
// the second bypasses, and 2 and 3 keep their warp.
//: divergence = capri
//: l1.line = 32
//: threads = 8
.kernel k
.registers 12
.predicates 2
H:
        mov.b32 r10, tid.x
        mov.b32 r5, 0
        shl.b32 r2, r10, 3
        add.i32 r2, r2, 0x10000000
A:
        mov.b32 r1, 0x9c
        shr.u32 r1, r1, r10
        and.b32 r1, r1, 1
        setp.ne.i32 p0, r1, 0
  @p0   bra B !reconverge G
C:
        add.i32 r4, r10, 1
        bra G
B:
        ld.global.b32 r3, [r2]
        add.i32 r4, r3, 1
G:
        add.i32 r5, r5, 1
        setp.lt.s32 p1, r5, 2
  @p1   bra A !reconverge I
I:
        exit
//= [- 0123 4567 H 2*] H:0123 H:4567
//> 0: [- 0123 4567 H 2*] A:0123 H:4567
//> 1: [- 0123 4567 H 2*] A:0123 A:4567
//> 0: [- 0123 4567 H 1*][G 01-- ---- C 0][G --23 ---- B 0] CAPT BR_A=1 A:4567
//> 1: [- 0123 4567 G 0][G 01-- -56- C 0][G --23 4--7 B 2*] CAPT BR_A=0 B:---7 B:4-23
//> 0: [- 0123 4567 G 0][G 01-- -56- C 0][G --23 4--7 B 2*] CAPT BR_A=0 B:---7 B:4-23 B waits for r3
//> 1: [- 0123 4567 G 0][G 01-- -56- C 0][G --23 4--7 B 2*] CAPT BR_A=0 B:---7 B:4-23 B waits for r3 B waits for r3
//! r3: [- 0123 4567 G 0][G 01-- -56- C 0][G --23 4--7 B 2*] CAPT BR_A=0 B:---7 B:4-23 B waits for r3
//> 0: [- 0123 4567 G 0][G 01-- -56- C 0][G --23 4--7 B 1*] CAPT BR_A=0 B:4-23 B waits for r3
//! r3: [- 0123 4567 G 0][G 01-- -56- C 0][G --23 4--7 B 1*] CAPT BR_A=0 B:4-23
//> 1: [- 0123 4567 G 0][G 01-- -56- C 2*] CAPT BR_A=0 C:016- C:-5--
//> 0: [- 0123 4567 G 0][G 01-- -56- C 1*] CAPT BR_A=0 C:-5--
//> 1: [- 0123 4567 G 2*] CAPT BR_A=0 G:0123 G:4567
// The second round.
//> 0: [- 0123 4567 G 1*][I 0123 ---- A 1] UMask 01 CAPT BR_A=0 A:0123 G:4567
//> 1: [- 0123 4567 I 0][I 0123 4567 A 2*] CAPT BR_A=0 A:0123 A:4567
//> 0: [- 0123 4567 I 0][I 0123 4567 A 1*][G 01-- ---- C 0][G --23 ---- B 1] UMask 01 CAPT BR_A=0 B:--23 A:4567
//> 1: [- 0123 4567 I 0][I 0123 4567 G 0][G 01-- -56- C 0][G --23 4--7 B 2*] CAPT BR_A=0 B:--23 B:4--7
// In time: the first round is as without prediction. In the second B is 3 cycles after a warp's own branch, and either load is of one
// line, 13 cycles.
//| 0.0 .H.H...H.....H.A.....A......A.....A.....A...B(95)B(11)C.C...G......G.....G..A.....A......A.....A.....A..B(12)B..C.C...G......G.....G..I
//| 1.0 ..H.H...H.....H.A.....A......A.....A.....A...B(104)B..C.C...G......G.....G..A.....A......A.....A.....A..B(12)B..C.C...G......G.....G..I
