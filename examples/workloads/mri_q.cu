// mri_q: the Q matrix of a non-Cartesian magnetic resonance image: for each voxel a sum of complex exponentials over
// the sample points of k-space.
//
// DAC's kind of program; our text of that paper stops before its list. Modelled on Parboil's MRI-Q.
//
// Characteristic: a short kernel (512 threads) for the magnitudes, then one in blocks of 256 threads, a voxel for
// each thread, that is called once for each 1024 samples: these lie in constant memory, and all threads read the
// same one. The loop takes two samples at a time, with a sine and a cosine of the special function unit for each
// (the public program is compiled with fast arithmetic); uniform trip counts, no divergence, compute-bound.
//
// usage: mri_q [voxels [samples]]; voxels a multiple of 256

#include "workload.h"

#define MAGNITUDE_THREADS 512
#define Q_THREADS 256
#define SAMPLES_PER_LAUNCH 1024
#define TWO_PI 6.2831853071795864769f

struct sample {
    float x, y, z, magnitude;
};

__constant__ sample samples[SAMPLES_PER_LAUNCH];

__global__ void magnitudes(const float *real, const float *imaginary, float *magnitude, int count)
{
    int i = blockIdx.x * MAGNITUDE_THREADS + threadIdx.x;
    if (i < count) {
        float re = real[i];
        float im = imaginary[i];
        magnitude[i] = re * re + im * im;
    }
}

__global__ void compute_q(int count, int base, const float *x, const float *y, const float *z, float *q_real,
                          float *q_imaginary)
{
    int voxel = blockIdx.x * Q_THREADS + threadIdx.x;
    float at_x = x[voxel];
    float at_y = y[voxel];
    float at_z = z[voxel];
    float real = q_real[voxel];
    float imaginary = q_imaginary[voxel];

    // An odd number of samples: one alone, then pairs.
    int k = 0;
    if (count % 2) {
        float angle = TWO_PI * (samples[0].x * at_x + samples[0].y * at_y + samples[0].z * at_z);
        real += samples[0].magnitude * __cosf(angle);
        imaginary += samples[0].magnitude * __sinf(angle);
        k++;
        base++;
    }
    for (; k < SAMPLES_PER_LAUNCH && base < count; k += 2, base += 2) {
        float angle = TWO_PI * (samples[k].x * at_x + samples[k].y * at_y + samples[k].z * at_z);
        real += samples[k].magnitude * __cosf(angle);
        imaginary += samples[k].magnitude * __sinf(angle);
        int next = k + 1;
        float second = TWO_PI * (samples[next].x * at_x + samples[next].y * at_y + samples[next].z * at_z);
        real += samples[next].magnitude * __cosf(second);
        imaginary += samples[next].magnitude * __sinf(second);
    }
    q_real[voxel] = real;
    q_imaginary[voxel] = imaginary;
}

// `count` numbers from -half to half.
static float *coordinates(int count, float half)
{
    float *host = (float *)malloc(count * sizeof(float));
    for (int i = 0; i < count; i++)
        host[i] = (2.0f * random_unit() - 1.0f) * half;
    return host;
}

int main(int argc, char **argv)
{
    int voxels = argument(argc, argv, 1, 69120);
    int count = argument(argc, argv, 2, 128);
    if (voxels % Q_THREADS || (count > SAMPLES_PER_LAUNCH && count % SAMPLES_PER_LAUNCH)) {
        printf("voxels must be a multiple of %d, and samples at most or a multiple of %d\n", Q_THREADS,
               SAMPLES_PER_LAUNCH);
        return 2;
    }
    // Small angles (at most about 20), so that the special functions' absolute error stays small.
    float *kx = coordinates(count, 1.0f), *ky = coordinates(count, 1.0f), *kz = coordinates(count, 1.0f);
    float *re = coordinates(count, 1.0f), *im = coordinates(count, 1.0f);
    float *x = coordinates(voxels, 1.0f), *y = coordinates(voxels, 1.0f), *z = coordinates(voxels, 1.0f);

    float *device_re = to_device(re, count), *device_im = to_device(im, count);
    float *device_magnitude = device_zeros<float>(count);
    magnitudes<<<(count + MAGNITUDE_THREADS - 1) / MAGNITUDE_THREADS, MAGNITUDE_THREADS>>>(
        device_re, device_im, device_magnitude, count);
    CHECK(cudaGetLastError());
    float *magnitude = to_host(device_magnitude, count);

    float *device_x = to_device(x, voxels), *device_y = to_device(y, voxels), *device_z = to_device(z, voxels);
    float *q_real = device_zeros<float>(voxels), *q_imaginary = device_zeros<float>(voxels);
    sample *part = (sample *)malloc(SAMPLES_PER_LAUNCH * sizeof(sample));
    for (int base = 0; base < count; base += SAMPLES_PER_LAUNCH) {
        int many = count - base < SAMPLES_PER_LAUNCH ? count - base : SAMPLES_PER_LAUNCH;
        for (int i = 0; i < many; i++) {
            part[i].x = kx[base + i];
            part[i].y = ky[base + i];
            part[i].z = kz[base + i];
            part[i].magnitude = magnitude[base + i];
        }
        CHECK(cudaMemcpyToSymbol(samples, part, many * sizeof(sample)));
        compute_q<<<voxels / Q_THREADS, Q_THREADS>>>(count, base, device_x, device_y, device_z, q_real, q_imaginary);
        CHECK(cudaGetLastError());
    }

    float *found_real = to_host(q_real, voxels), *found_imaginary = to_host(q_imaginary, voxels);
    for (int i = 0; i < count; i++)
        expect_float("magnitude", i, (double)re[i] * re[i] + (double)im[i] * im[i], magnitude[i], 1e-6);
    int stride = (long long)voxels * count <= 16384 ? 1 : voxels / 97;
    for (int i = 0; i < voxels; i += stride) {
        double real = 0, imaginary = 0;
        for (int k = 0; k < count; k++) {
            double angle = 2 * M_PI * ((double)kx[k] * x[i] + (double)ky[k] * y[i] + (double)kz[k] * z[i]);
            double weight = (double)re[k] * re[k] + (double)im[k] * im[k];
            real += weight * cos(angle);
            imaginary += weight * sin(angle);
        }
        // Terms cancel: the error is bounded by the number of samples, 2e-5 for each.
        expect_float("real part", i, 0, (found_real[i] - real) / count, 2e-5);
        expect_float("imaginary part", i, 0, (found_imaginary[i] - imaginary) / count, 2e-5);
    }
    float *device[] = {device_re, device_im, device_magnitude, device_x, device_y, device_z, q_real, q_imaginary};
    for (int i = 0; i < 8; i++)
        CHECK(cudaFree(device[i]));
    return verdict("mri_q");
}
