// Dissertation, Figure 4.7 (c): what the table has learned. The control flow of Figure 4.8 goes round
// twice; the second time the branch is known to be inadequate, and warps that diverge bypass.
//: divergence = capri
//: threads = 12
.kernel k
.registers 12
.predicates 3
H:
        mov.b32 r10, tid.x
        mov.b32 r5, 0
A:
        mov.b32 r1, 0x39f
        shr.u32 r1, r1, r10
        and.b32 r1, r1, 1
        setp.ne.i32 p0, r1, 0
  @p0   bra B !reconverge G
C:
        add.i32 r4, r10, 1
        bra G
B:
        add.i32 r1, r10, 1
        add.i32 r1, r1, 1
G:
        add.i32 r5, r5, 1
        setp.lt.s32 p2, r5, 2
  @p2   bra A !reconverge I
I:
        exit
//= [- 0123 4567 89AB H 3*] H:0123 H:4567 H:89AB
//> 0: [- 0123 4567 89AB H 3*] A:0123 H:4567 H:89AB
//> 1: [- 0123 4567 89AB H 3*] A:0123 A:4567 H:89AB
//> 2: [- 0123 4567 89AB H 3*] A:0123 A:4567 A:89AB
//> 0: [- 0123 4567 89AB H 2*][G 0123 ---- ---- B 1] UMask 011 B:0123 A:4567 A:89AB
//> 2: [- 0123 4567 89AB H 1*][G ---- ---- --AB C 0][G 0123 ---- 89-- B 1] UMask 011 CAPT BR_A=1 B:0123 A:4567
//> 1: [- 0123 4567 89AB G 0][G ---- -56- --AB C 0][G 0123 4--7 89-- B 3*] CAPT BR_A=0 B:0123 B:49-7 B:8---
//> 0: [- 0123 4567 89AB G 1][G ---- -56- --AB C 0][G 0123 4--7 89-- B 2*] CAPT BR_A=0 G:0123 B:49-7 B:8---
//> 1: [- 0123 4567 89AB G 1][G ---- -56- --AB C 0][G 0123 4--7 89-- B 1*] CAPT BR_A=0 G:0123 B:8---
//> 2: [- 0123 4567 89AB G 1][G ---- -56- --AB C 2*] CAPT BR_A=0 G:0123 C:-56B C:--A-
//> 1: [- 0123 4567 89AB G 1][G ---- -56- --AB C 1*] CAPT BR_A=0 G:0123 C:--A-
//> 0: [- 0123 4567 89AB G 1][G ---- -56- --AB C 1*] CAPT BR_A=0 C:--A-
//> 2: [- 0123 4567 89AB G 2*][I 0123 ---- ---- A 1] UMask 011 CAPT BR_A=0 A:0123 G:4567 G:89AB
//> 0: [- 0123 4567 89AB G 2*][I 0123 ---- ---- A 1] UMask 011 CAPT BR_A=0 G:4567 G:89AB
//> 1: [- 0123 4567 89AB G 1*][I 0123 4567 ---- A 2] UMask 001 CAPT BR_A=0 A:4567 G:89AB
//> 2: [- 0123 4567 89AB I 0][I 0123 4567 89AB A 2*][G 0123 ---- ---- B 1] UMask 011 CAPT BR_A=0 B:0123 A:4567 A:89AB
//> 0: [- 0123 4567 89AB I 0][I 0123 4567 89AB A 2*][G 0123 ---- ---- B 0] UMask 011 CAPT BR_A=0 A:4567 A:89AB
//> 1: [- 0123 4567 89AB I 0][I 0123 4567 89AB A 1*][G ---- -56- ---- C 0][G 0123 4--7 ---- B 1] UMask 001 CAPT BR_A=0 B:4--7 A:89AB
//> 2: [- 0123 4567 89AB I 0][I 0123 4567 89AB G 0][G ---- -56- --AB C 0][G 0123 4--7 89-- B 2*] CAPT BR_A=0 B:4--7 B:89--
//> 1: [- 0123 4567 89AB I 0][I 0123 4567 89AB G 0][G ---- -56- --AB C 0][G 0123 4--7 89-- B 1*] CAPT BR_A=0 B:89--
//> 2: [- 0123 4567 89AB I 0][I 0123 4567 89AB G 0][G ---- -56- --AB C 2*] CAPT BR_A=0 C:-56- C:--AB
//> 1: [- 0123 4567 89AB I 0][I 0123 4567 89AB G 0][G ---- -56- --AB C 1*] CAPT BR_A=0 C:--AB
//> 2: [- 0123 4567 89AB I 0][I 0123 4567 89AB G 3*] CAPT BR_A=0 G:0123 G:4567 G:89AB
//> 0: [- 0123 4567 89AB I 1][I 0123 4567 89AB G 2*] UMask 011 CAPT BR_A=0 I:0123 G:4567 G:89AB
//> 1: [- 0123 4567 89AB I 2][I 0123 4567 89AB G 1*] UMask 001 CAPT BR_A=0 I:0123 I:4567 G:89AB
//> 2: [- 0123 4567 89AB I 3*] CAPT BR_A=0 I:0123 I:4567 I:89AB
//> 0: [- ---- 4567 89AB I 2*] CAPT BR_A=0 I:4567 I:89AB
//> 1: [- ---- ---- 89AB I 1*] CAPT BR_A=0 I:89AB
//> 2:  CAPT BR_A=0
// (c) In time: in the second round warps that come to the branch of A go on at once, W0 in B from where it stands.
//| 0.0 .H..H..A.....A......A.....A.....A..B.....B...G.....G......G..A.....A......A.....A.....A..B.....B(18)G.....G.....G..I
//| 1.0 ..H..H..A.....A......A.....A.....A...B.....B..C..C...G.....G.....G..A.......A......A......A.....A..B.....B..C.C....G.....G.....G..I
//| 2.0 ...H..H..A.....A......A.....A.....A...B.....B..C..C...G.....G.....G..A.....A......A.....A.....A..B.....B...C.C...G.....G.....G..I
