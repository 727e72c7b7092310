// Sixteen registers have no room for the values that are alive at once.
// registers: 16

__global__ void work(const float *in, float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float a = in[i], b = in[i + 1], c = in[i + 2], d = in[i + 3], e = in[i + 4], f = in[i + 5];
    float g = in[i + 6], h = in[i + 7], p = in[i + 8], q = in[i + 9], r = in[i + 10], s = in[i + 11];
    for (int k = 0; k < 200; k++) { //= of values beyond the limit of 16 registers per thread
        float sum = a + b + c + d + e + f + g + h + p + q + r + s;
        a = b * sum, b = c + sum, c = d * sum, d = e + sum, e = f * sum, f = g + sum;
        g = h * sum, h = p + sum, p = q * sum, q = r + sum, r = s * sum, s = sum + k;
    }
    out[i] = a + b + c + d + e + f + g + h + p + q + r + s;
}

int main()
{
    float *in, *out;
    cudaMalloc(&in, (60 * 128 + 12) * sizeof(float));
    cudaMalloc(&out, 60 * 128 * sizeof(float));
    work<<<60, 128>>>(in, out);
    return cudaDeviceSynchronize();
}
