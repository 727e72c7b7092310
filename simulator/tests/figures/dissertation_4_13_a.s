// Dissertation, Figure 4.13 (a): a programmatic branch that is potentially compactable, but not as it is. The drawing
// is lost. The text fixes what holds of it: NWideal < NWTBC = NWNoTBC, for the threads that go are of one home lane; the
// branch (`tid.x % 4 == 0`) and the size are ours. Taken are 0, 4, 8 and C: NWideal = C(4/4) = 1, NWTBC = 4 (WCnt of B).
//: divergence = block-compaction
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
// Before and after: the same four warps.
//> 3: [- 0123 4567 89AB CDEF G 0][G -123 -567 -9AB -DEF C 0][G 0--- 4--- 8--- C--- B 4*] B:0--- B:4--- B:8--- B:C---
// In time: a result is there 6 cycles after its instruction issues, so that W0 issues A in 1, 7, 13 and 19, and each of
// the others one cycle after the one before. The last branch is in 22; 3 cycles later B starts: 25 to 28, 31 to 34. The
// last of B is at its reconvergence point, and 2 cycles later C starts: 36 to 39, 40 to 43. G is 3 after that branch.
//| 0.0 .A.....A.....A.....A.....B.....B....C...C.....G
//| 1.0 ..A.....A.....A.....A.....B.....B....C...C.....G
//| 2.0 ...A.....A.....A.....A.....B.....B....C...C.....G
//| 3.0 ....A.....A.....A.....A.....B.....B....C...C.....G
