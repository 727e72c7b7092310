// What a value is where it is stored, behind the mark: scope and shape, better ones under a condition, P or D.

__global__ void plain(int *out, int n, int m)
{
    int x = threadIdx.x, y = threadIdx.y, b = blockIdx.x;
    out[0] = b * blockDim.x; //= block affine ntid.x*ctaid.x P
    out[1] = n; //= grid uniform P
    out[2] = b * blockDim.x + x; //= none affine tid.x + ntid.x*ctaid.x P
    out[3] = y * m + x; //= none affine tid.x + c[12]*tid.y P
    out[4] = x * m; //= none affine c[12]*tid.x P
    out[5] = x * x; //= none generic P
    out[6] = x / 32; //= none affine tid.x/32, warp uniform‡ P
    out[7] = x | 31; //= none affine 32*(tid.x/32) + 31, warp uniform‡ P
    out[8] = x & 31; //= none generic, none lane-affine tid.x%32‡ P
    out[9] = (x & ~31) + (x & 31); //= none affine tid.x P
    out[10] = (x - 32) / 32; //= none generic P
    out[11] = (x - 32) >> 5; //= none affine tid.x/32 + -1, warp uniform‡ P
    out[12] = (x << 2) | 1; //= none affine 4*tid.x + 1 P
    out[13] = x ^ 1; //= none affine 2*(tid.x/2) + -1*(tid.x%2) + 1 P
    out[14] = min(b * (int)blockDim.x + x, n - 1); //= none generic P
    long long *wide = (long long *)out;
    wide[15] = (long long)(x * 0x10000000); //= none generic P
    wide[16] = (long long)x * 8; //= none affine 8*tid.x P
    out[18] = x < 32; //= none generic, warp uniform‡ P
}

// Quotients and remainders by constants: only those of which all steps are at multiples of one number.
__global__ void quotients(int *out, int n)
{
    int x = threadIdx.x, row = x / 16, column = x % 16, g = blockIdx.x * blockDim.x + x;
    out[0] = row; //= none affine tid.x/16 P
    out[1] = column; //= none affine tid.x%16 P
    out[2] = row * n + column; //= none affine c[8]*(tid.x/16) + tid.x%16 P
    out[3] = row * 16 + column; //= none affine tid.x P
    out[4] = x / 10; //= none affine tid.x/10 P
    out[5] = x % 10 * 4; //= none affine 4*(tid.x%10) P
    out[6] = x / 10 / 3 + x % 30; //= none affine tid.x/30 + tid.x%30 P
    out[7] = x * 2 / 8; //= none affine tid.x/4 P
    out[8] = x / 64; //= none affine tid.x/64, warp uniform‡ P
    out[9] = x % 64; //= none generic, none lane-affine tid.x%64‡ P
    out[10] = x / 48 * 3 + 1; //= none affine 3*(tid.x/48) + 1 P
    out[11] = x / 96; //= none affine tid.x/96, warp uniform‡ P
    out[12] = (x + 1) / 4; //= none generic P
    out[13] = x * 3 / 4; //= none generic P
    out[14] = x / 16 + x % 10; //= none generic P
    out[15] = x % 16 / 4; //= none generic P
    out[16] = (x - 10) / 10; //= none generic P
    out[17] = (blockIdx.y * 20 + x) / 10; //= none affine tid.x/10 + 2*ctaid.y P
    out[18] = (blockIdx.y * 25 + x) / 10; //= none generic P
    out[19] = (unsigned)g / 32; //= none generic, warp uniform‡‡ P
    out[20] = (unsigned)g % 10; //= none generic P
    out[21] = (n * 8 + x) % 8; //= none generic P
    out[22] = (unsigned)(n * 8 + x) % 8; //= none affine tid.x%8 P
    out[23] = (n * 8 + x) & ~7; //= none affine 8*(tid.x/8) + ? P
    out[24] = (unsigned)(n * 10 + x) % 10; //= none generic P
    out[25] = x / n; //= none generic P
    out[26] = row << 8 | column; //= none affine 256*(tid.x/16) + tid.x%16 P
}

__global__ void __launch_bounds__(64) bounded(int *out)
{
    int x = threadIdx.x;
    out[0] = x / 64; //= grid uniform P
    out[1] = x % 100; //= none affine tid.x P
    out[2] = (63 - x) / 16; //= none affine -1*(tid.x/16) + 3 P
    out[3] = (63 - x) % 16; //= none affine -1*(tid.x%16) + 15 P
    out[4] = (64 - x) / 16; //= none generic P
    out[5] = (threadIdx.y * blockDim.x + x) / 64; //= grid uniform P
    out[6] = (threadIdx.y * blockDim.x + x + 1) / 64; //= none generic P
}

// The number of a thread in its layer, and in its block: the lane and the warp are in it where a warp lies in
// one row.
__global__ void linear(int *out)
{
    int l = threadIdx.y * blockDim.x + threadIdx.x;
    out[0] = l; //= none affine tid.x + ntid.x*tid.y P
    out[1] = l / 32; //= none generic, warp uniform‡ P
    out[2] = l % 32; //= none generic, none lane-affine tid.x%32‡ P
    out[3] = l & 64; //= none generic, warp uniform‡ P
    out[4] = l < 32; //= none generic, warp uniform‡ P
    out[5] = l / 24; //= none generic P
    out[6] = (l + 1) / 32; //= none generic P
    out[7] = (l + 1) & 64; //= none generic P
    int r = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    out[8] = r; //= none affine tid.x + ntid.x*tid.y + ntid.x*ntid.y*tid.z P
    out[9] = r / 32; //= none generic, warp uniform‡ P
    out[10] = r % 32; //= none generic, none lane-affine tid.x%32‡ P
    out[11] = r & 64; //= none generic, warp uniform‡ P
    long long *wide = (long long *)out;
    wide[6] = l; //= none affine tid.x + ntid.x*tid.y P
    out[14] = threadIdx.x & 64; //= none generic, warp uniform‡ P
    out[15] = threadIdx.x & 72; //= none generic P
    out[16] = threadIdx.y * blockDim.y / 32; //= none generic, warp uniform‡ P
}

__global__ void control(const int *A, int *out, int n)
{
    int x = threadIdx.x, g = blockIdx.x * blockDim.x + x, v;
    if (n > 50) //= branch grid P
        v = x + 1;
    else
        v = x + 9;
    out[0] = v; //= none affine tid.x + ? P
    if (x < 10) //= branch none P
        v = 0;
    else
        v = 1;
    out[1] = v; //= none generic P
    if (x < 32) //= branch none, warp‡ P
        out[2] = 5; //= grid uniform P
    if (g < n && A[g] > 50) //= branch none P / branch none D
        out[3] = A[g]; //= none generic D
    out[4] = A[n]; //= warp uniform D
    out[5] = atomicAdd(&out[6], 1); //= none generic D
}

__global__ void loops(const int *A, int *out, int n)
{
    int g = blockIdx.x * blockDim.x + threadIdx.x, i;
    for (i = 0; i < (A[g] & 7); i++) //= branch none D
        out[i] = i; //= grid uniform P
    out[100] = i; //= none generic D
    for (i = g; i < n; i += gridDim.x * blockDim.x) //= branch none P
        out[i] = i; //= none affine tid.x + ntid.x*ctaid.x + ? P
    out[101] = i; //= none generic P
    int r = 0, c;
    for (c = 0; c < n; c++) { //= branch grid P
        out[102] = c; //= grid uniform P
        if (threadIdx.x == 0) { //= branch none P
            r = 1;
            break;
        }
    }
    out[103] = r; //= none generic P
    int sum = 0;
    for (c = 0; c < n; c++) { //= branch grid P
        if (A[g + c] < 0) //= branch none D
            continue;
        sum += 1;
        out[104] = c; //= grid uniform P
    }
    out[105] = sum; //= none generic D
    int p = threadIdx.x * 4;
    for (i = 0; i < A[n]; i++) { //= branch warp D
        out[106] = p; //= none affine 4*tid.x + ? P
        p += 4;
    }
}

__global__ void memory(int *out, int n)
{
    __shared__ int broadcast[32];
    int t[2] = {(int)threadIdx.x, n};
    out[0] = t[1]; //= grid uniform P
    if (threadIdx.x & 1) //= branch none P
        t[1] = 3;
    out[1] = t[1]; //= none generic P
    if (threadIdx.x == 0)
        broadcast[0] = out[5];
    __syncthreads(); //= legal
    out[2] = broadcast[0]; //= block uniform D
}
