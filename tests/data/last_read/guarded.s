// What a guarded instruction reads may have been read by nobody, so it never carries the bit; and its
// write leaves the old value to the other lanes.
    mov.b32 r0, tid.x
    mul.i32 r1, r0, 3
    mov.b32 r2, 7
    setp.lt.u32 p0, r0, 3
    add.i32 r3, r1, r2
@p0 add.i32 r2, r1, 1                   // unseen 0
    add.i32 r2, r2, r3 !last 0,1
    shl.b32 r0, r0, 2 !last 0
    add.i32 r0, r0, 0x10000000 !last 0
@p0 st.global.b32 [r0], r2              // unseen 0,1
    exit
