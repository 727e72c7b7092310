// Fetches that are not modelled, and fetches that do not fit what they read.
texture<float, 2> image;
texture<float, 3, cudaReadModeElementType> volume; //~ error
texture<int, cudaTextureType2DLayered> layers; //~ error

__global__ void kernel(float *a, cudaTextureObject_t object)
{
    a[0] = tex3D(image, 1, 2, 3); //~ error
    a[1] = tex2DLod<float4>(object, 1, 2, 0).x; //~ error
    a[2] = tex1DLayered<float>(object, 1, 2); //~ error
    a[3] = tex2D(image, 1); //~ error
    a[4] = tex1Dfetch(image, 1); //~ error
    a[5] = tex1Dfetch(volume, 1); //~ error
    surf2Dwrite(1.0f, object, 1, 2); //~ error
}

int main()
{
    kernel<<<1, 1>>>(0, 0);
    cudaBindTexture(NULL, image, NULL); //~ error
    cudaMalloc3DArray(NULL, NULL, NULL); //~ error
    cudaBindSurfaceToArray(image, NULL); //~ error
    return 0;
}
