// Steps of the Collatz sequence of each thread's number: a loop whose lanes leave one by one, with
// an if-else inside.
.kernel collatz
    .param out 0 8
    .param first 8 4
    .registers 6
    .predicates 2
        mov.b32 r0, ctaid.x
        mov.b32 r1, ntid.x
        mov.b32 r2, tid.x
        mad.i32 r0, r0, r1, r2
        add.i32 r1, r0, c[8]
        mov.b32 r2, 0
LOOP:
        setp.le.u32 p0, r1, 1
  @p0   bra END !reconverge END
        and.b32 r3, r1, 1
        setp.eq.i32 p1, r3, 0
  @p1   bra EVEN !reconverge NEXT
        mul.i32 r1, r1, 3
        add.i32 r1, r1, 1
        bra NEXT !reconverge NEXT
EVEN:
        shr.u32 r1, r1, 1
NEXT:
        add.i32 r2, r2, 1
        bra LOOP
END:
        shl.b32 r4, r0, 2
        add.i32 r4, r4, c[0]
        st.global.b32 [r4], r2
        exit
