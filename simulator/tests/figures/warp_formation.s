// Dynamic warp formation (the book, §3.4.1) of the control flow of the dissertation's Figure 4.1, which its
// Figure 4.2 has under thread-block compaction. The steps are ours; the sources have none. Each warp with the
// basic block that it is in.
//: divergence = warp-formation
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
//=  A:0123 A:4567 A:89AB
// W0 goes to C as it is, and goes on there: nobody waits.
//> 0:  C:0123 A:4567 A:89AB
// W1 parts. C has a warp, all of whose lanes are taken: 4, 5 and 6 are one of their own. No slot is free
// for them, so that they wait for one.
//> 1:  C:0123 B:---7 A:89AB
// W2 parts: A joins 7 at B in its home lane. 4, 5 and 6 get the slot, and B joins them in its lane; 8 and 9
// find theirs taken.
//> 2:  C:0123 B:--A7 C:456B
// The warp at B goes on to G, and ends. 8 and 9 get its slot.
//> 1:  C:0123 G:--A7 C:456B
//> 1:  C:0123 C:89-- C:456B
// 0 goes to D, the others to E; there is no slot for them.
//> 0:  D:0--- C:89-- C:456B
// 8 and 9 go to E, where 1, 2 and 3 stand without a slot: 8 joins them, and the lane of 9 is taken.
//> 1:  D:0--- E:-9-- C:456B
// B joins 0 at D, and the lane of 4 is taken; 6 joins 9, and that of 5 is taken.
//> 2:  D:0--B E:-96- D:4---
