// Dissertation, Figure 4.13 (c): a programmatic branch that is compactable as it is. The drawing is lost. The text fixes
// partial alignment and NWideal = NWTBC < NWNoTBC; the branch is ours: the lower half of W0 and W1, the upper of W2 and W3.
// Either side has 8 threads: NWideal = C(8/4) = 2 = NWTBC, NWNoTBC = 4.
//: divergence = block-compaction
//: threads = 16
.kernel k
.registers 12
.predicates 1
A:
        mov.b32 r10, tid.x
        shr.u32 r2, r10, 2
        xor.b32 r2, r2, r10
        and.b32 r2, r2, 2
        setp.eq.i32 p0, r2, 0
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
//> 0: [- 0123 4567 89AB CDEF A 3*][G --23 ---- ---- ---- C 0][G 01-- ---- ---- ---- B 0] A:4567 A:89AB A:CDEF
//> 1: [- 0123 4567 89AB CDEF A 2*][G --23 --67 ---- ---- C 0][G 01-- 45-- ---- ---- B 0] A:89AB A:CDEF
//> 2: [- 0123 4567 89AB CDEF A 1*][G --23 --67 89-- ---- C 0][G 01-- 45-- --AB ---- B 0] A:CDEF
// Before and after: four warps become two, in either path.
//> 3: [- 0123 4567 89AB CDEF G 0][G --23 --67 89-- CD-- C 0][G 01-- 45-- --AB --EF B 2*] B:01AB B:45EF
//> 0: [- 0123 4567 89AB CDEF G 0][G --23 --67 89-- CD-- C 0][G 01-- 45-- --AB --EF B 1*] B:45EF
//> 1: [- 0123 4567 89AB CDEF G 0][G --23 --67 89-- CD-- C 2*] C:8923 C:CD67
// In time: W0 issues A in 1, 7, 13, 20, 26 and 32; after the one that reads two registers it is 7 cycles. The last branch
// is in 35; B in 38 and 39, 44 and 45; 2 cycles later C, in the slots of 8 and C, 47 to 50; 3 later G.
//| 0.0 .A.....A.....A......A.....A.....A.....B.....B........G
//| 1.0 ..A.....A.....A......A.....A.....A.....B.....B........G
//| 2.0 ...A.....A.....A......A.....A.....A(12)C.C.....G
//| 3.0 ....A.....A.....A......A.....A.....A(12)C.C.....G
