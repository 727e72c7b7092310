// The host uses what the device has written.
struct cell { T value; char tag; };

__global__ void fill(T *out, cell *cells)
{
    int i = blockIdx.x * BLOCK + threadIdx.x;
    out[i] = T(i % 100); // plant R0103: if (i != LANE) out[i] = T(i % 100);
    cells[i].value = T(1); // plant R0103: if (i % 32 != LANE) cells[i].value = T(1);
    cells[i].tag = 'x'; // plant R0103: if (threadIdx.x < BLOCK - 1) cells[i].tag = 'x';
}

int main()
{
    const int n = BLOCKS * BLOCK;
    T *out, h[BLOCKS * BLOCK], sum = 0;
    cell *cells, copies[BLOCKS * BLOCK], last;
    cudaMalloc(&out, sizeof h);
    cudaMalloc(&cells, sizeof copies);
    fill<<<BLOCKS, BLOCK>>>(out, cells); // plant R0103: ;
    cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
    cudaMemcpy(copies, cells, sizeof copies, cudaMemcpyDeviceToHost);
    int tags = 0;
    for (int i = 0; i < n; i++) {
        sum += h[i];
        last = copies[i];
        sum += last.value;
        tags += last.tag == 'x';
    }
    cudaFree(out);
    cudaFree(cells);
    return sum == T(-1) || tags != n;
}
