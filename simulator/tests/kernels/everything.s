// out[64 + thread] = f(x) of the first c[8] threads of each block; out[0] += x.
.kernel everything
    .param out 0 8
    .param active 8 4
    .registers 14
    .predicates 3
    .shared 128
    .local 24
        mov.b32 r0, tid.x
        setp.ge.s32 p0, r0, c[8]
  @p0   exit
        // A loop of x % 5 turns with a value and its turn kept in local memory.
        rem.u32 r1, r0, 5
        mov.b32 r2, 0x2000000
        mov.b32 r4, r0
        mov.b32 r5, 0
        st.local.b64 [r2+8], r4:5
LOOP:
        setp.ge.u32 p1, r5, r1
  @p1   bra AFTER !reconverge AFTER
        ld.local.b32 r6, [r2+8]
        mul.i32 r6, r6, 3
        add.i32 r6, r6, r5
        add.i32 r7, r5, 1
        st.local.b64 [r2+8], r6:7
        ld.local.b32 r5, [r2+12]
        bra LOOP
AFTER:
        ld.local.b32 r4, [r2+8]
        // The word of the thread at the other end, through shared memory.
        shl.b32 r6, r0, 2
        or.b32 r6, r6, 0x1000000
        mul.i32 r7, r0, 5
        mov.b32 r8, ctaid.x
        add.i32 r7, r7, r8
        st.shared.b32 [r6], r7
        bar.sync
        sub.i32 r9, 28, r0
        shl.b32 r9, r9, 2
        or.b32 r9, r9, 0x1000000
        ld.generic.b32 r9, [r9]
        add.i32 r4, r4, r9
        // A byte of constant memory: byte i is i.
        and.b32 r10, r0, 7
        or.b32 r10, r10, 0x3000000
        ld.const.u8 r11, [r10]
        add.i32 r4, r4, r11
        // out[64 + block * 31 + x]
        mov.b32 r12, ntid.x
        mad.i32 r12, r8, r12, r0
        shl.b32 r12, r12, 2
        add.i32 r12, r12, c[0]
        st.generic.b32 [r12+256], r4
        mov.b32 r12, c[0]
        atom.add.i32.global _, [r12], r0
        // An atomic on shared memory that changes nothing that is read.
        atom.max.u32.shared r13, [r6], r7
        exit
