// The host uses what no thread has written.
struct cell { int value; char tag; };

__global__ void fill(int *out, cell *cells, int n)
{
    int t = threadIdx.x;
    if (t < n)
        out[t] = cells[t].value = t;
    cells[t].tag = 'x';
}

int main()
{
#ifdef FIXED
    const int n = 64;
#else
    const int n = 63;
#endif
    int *out, h[64], sum = 0;
    cell *cells, copies[64];
    cudaMalloc(&out, sizeof h);
    cudaMalloc(&cells, sizeof copies);
    fill<<<1, 64>>>(out, cells, n);
    cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
    cudaMemcpy(copies, cells, sizeof copies, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 64; i++) {
        cell one = copies[i];
        sum += one.tag;
        sum += h[i];
        sum += one.value;
    }
    cudaFree(out);
    cudaFree(cells);
    return sum == 0;
}
