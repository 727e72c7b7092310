// The large warp (the book, §3.4.1), in groups of two warps. The steps are ours; the source has none. The
// stack of each group as in the dissertation's Figure 4.2; its warps that may issue.
//: divergence = large-warp
//: large-warp.warps = 2
//: threads = 16
//: lane-permutation = flip-odd
.kernel k
.registers 12
.predicates 1
A:
        mov.b32 r1, tid.x
        and.b32 r1, r1, 1
H:
        setp.eq.i32 p0, r1, 0
  @p0   bra B !reconverge G
C:
        add.i32 r4, r1, 1
        bra G
B:
        add.i32 r4, r1, 2
G:
        exit
//= [- 0123 4567 ---- ---- A 2*] A:0123 A:4567[- ---- ---- 89AB CDEF A 2*] A:89AB A:CDEF
// W0 executes its first instruction, and waits until W1 has.
//> 0: [- 0123 4567 ---- ---- A 2*] A:4567[- ---- ---- 89AB CDEF A 2*] A:89AB A:CDEF
//> 1: [- 0123 4567 ---- ---- A 2*] A:0123 A:4567[- ---- ---- 89AB CDEF A 2*] A:89AB A:CDEF
// Who executes first is free. The other group goes on by itself.
//> 1: [- 0123 4567 ---- ---- A 2*] A:0123[- ---- ---- 89AB CDEF A 2*] A:89AB A:CDEF
//> 2: [- 0123 4567 ---- ---- A 2*] A:0123[- ---- ---- 89AB CDEF A 2*] A:CDEF
//> 0: [- 0123 4567 ---- ---- A 2*] H:0123 H:4567[- ---- ---- 89AB CDEF A 2*] A:CDEF
//> 0: [- 0123 4567 ---- ---- A 2*] H:4567[- ---- ---- 89AB CDEF A 2*] A:CDEF
//> 1: [- 0123 4567 ---- ---- A 2*] H:0123 H:4567[- ---- ---- 89AB CDEF A 2*] A:CDEF
// At the branch 0 and 2, 4 and 6 go to B. The lanes of W1 are turned round, so that they fit into one warp.
//> 0: [- 0123 4567 ---- ---- A 1*][G -1-3 ---- ---- ---- C 0][G 0-2- ---- ---- ---- B 0] H:4567[- ---- ---- 89AB CDEF A 2*] A:CDEF
//> 1: [- 0123 4567 ---- ---- G 0][G -1-3 -5-7 ---- ---- C 0][G 0-2- 4-6- ---- ---- B 1*] B:0624[- ---- ---- 89AB CDEF A 2*] A:CDEF
// They meet the others at G, who go through C first.
//> 0: [- 0123 4567 ---- ---- G 0][G -1-3 -5-7 ---- ---- C 1*] C:7153[- ---- ---- 89AB CDEF A 2*] A:CDEF
//> 1: [- 0123 4567 ---- ---- G 2*] G:0123 G:4567[- ---- ---- 89AB CDEF A 2*] A:CDEF
