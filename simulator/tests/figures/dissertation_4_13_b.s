// Dissertation, Figure 4.13 (b): a path that is never compactable, C. The drawing is lost. The text fixes NWideal =
// NWNoTBC; the branch and the size are ours, those of `dissertation_4_13_a.s` with three warps. Not taken are three of
// four threads of each: NWideal = C(9/4) = 3 = NWNoTBC. So it is under a permutation too, which makes one warp of B.
//: divergence = block-compaction
//: lane-permutation = warp-id
//: threads = 12
.kernel k
.registers 12
.predicates 1
A:
        mov.b32 r10, tid.x
        and.b32 r1, r10, 3
        setp.eq.i32 p0, r1, 0
  @p0   bra B !reconverge G
C:
        add.i32 r4, r10, 1
        bra G
B:
        add.i32 r4, r10, 2
        add.i32 r4, r4, 1
G:
        exit
//= [- 0123 4567 89AB A 3*] A:0123 A:4567 A:89AB
//> 0: [- 0123 4567 89AB A 2*][G -123 ---- ---- C 0][G 0--- ---- ---- B 0] A:4567 A:89AB
//> 1: [- 0123 4567 89AB A 1*][G -123 -567 ---- C 0][G 0--- 4--- ---- B 0] A:89AB
//> 2: [- 0123 4567 89AB G 0][G -123 -567 -9AB C 0][G 0--- 4--- 8--- B 1*] B:048-
// In lane 0 are 5 and A, in lane 1 1 and B, in lane 2 2 and 7, in lane 3 3, 6 and 9. 5123 and AB76 get the slots of 5 and
// A; 9 would have that of A, and gets the free one. It is alone, and drawn as in its own warp.
//> 0: [- 0123 4567 89AB G 0][G -123 -567 -9AB C 3*] C:-9-- C:5123 C:AB76
// In time: the last branch is in 21, B in 24 and 30, C from 32, in three warps, with branches in 35 to 37; G from 40.
//| 0.0 .A.....A.....A.....A....B.....B...C..C....G
//| 1.0 ..A.....A.....A.....A(11)C..C....G
//| 2.0 ...A.....A.....A.....A(11)C..C....G
