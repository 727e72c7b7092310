// Dissertation, Figures 4.13 (a) and 4.16: the branch of `dissertation_4_13_a.s` where the home lane of a thread is
// its lane XOR the number of its warp. 0, 4, 8 and C are in four lanes then, and become NWideal = 1 warp; the twelve
// others in three: 5123, AB76, FED9. A path is drawn by lanes, an entry by threads.
//: divergence = block-compaction
//: lane-permutation = warp-id
//: threads = 16
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
//= [- 0123 4567 89AB CDEF A 4*] A:0123 A:4567 A:89AB A:CDEF
//> 0: [- 0123 4567 89AB CDEF A 3*][G -123 ---- ---- ---- C 0][G 0--- ---- ---- ---- B 0] A:4567 A:89AB A:CDEF
//> 1: [- 0123 4567 89AB CDEF A 2*][G -123 -567 ---- ---- C 0][G 0--- 4--- ---- ---- B 0] A:89AB A:CDEF
//> 2: [- 0123 4567 89AB CDEF A 1*][G -123 -567 -9AB ---- C 0][G 0--- 4--- 8--- ---- B 0] A:CDEF
//> 3: [- 0123 4567 89AB CDEF G 0][G -123 -567 -9AB -DEF C 0][G 0--- 4--- 8--- C--- B 1*] B:048C
//> 0: [- 0123 4567 89AB CDEF G 0][G -123 -567 -9AB -DEF C 3*] C:5123 C:AB76 C:FED9
// In time: A is as without the map. B is one warp, in 25 and 31. C starts 2 cycles later, in 33, and has three warps, in
// the slots of 5, A and F, and branches in 36, 37 and 38; G is in 41 and after: 5 cycles earlier than without the map.
//| 0.0 .A.....A.....A.....A.....B.....B(9)G
//| 1.0 ..A.....A.....A.....A(12)C..C.....G
//| 2.0 ...A.....A.....A.....A(12)C..C.....G
//| 3.0 ....A.....A.....A.....A(12)C..C.....G
