// Loops whose trip count is known when they are entered: counters of all types, up and down, limits near the ends of
// the type, no iteration, one, and as many as a main loop and its remainder share.
#include <cstdio>
#include <climits>

struct Seen { unsigned long long sum; unsigned long long count; };

template <class T>
__host__ __device__ Seen visit(Seen seen, T counter, const int *table)
{
    seen.sum = seen.sum * 31 + (unsigned long long)counter + table[(unsigned)counter & 15];
    seen.count++;
    return seen;
}

template <class T>
__host__ __device__ void loops(Seen *out, T start, T limit, const int *table)
{
    for (int form = 0; form < 12; form++)
        out[form] = Seen{0, 0};
    for (T i = start; i < limit; i++) out[0] = visit(out[0], i, table);
    for (T i = start; i < limit; i += 3) out[1] = visit(out[1], i, table);
    for (T i = start; i + 1 <= limit; i += 2) out[2] = visit(out[2], i, table);
    if (start <= limit)
        for (T i = start; i != limit; i++) out[3] = visit(out[3], i, table);
    for (T i = limit; i > start; i--) out[4] = visit(out[4], i, table);
    for (T i = limit; i > start && i - start >= 4; i -= 4) out[5] = visit(out[5], i, table);
    if (start <= limit)
        for (T i = limit; i != start; --i) out[6] = visit(out[6], i, table);
    if (start < limit) {
        T i = start;
        do out[7] = visit(out[7], i, table); while (++i < limit);
    }
    {
        T i = start;
        Seen own = {1, 1};
        while (i < limit) { own.sum += table[(unsigned)i & 15] * 3; own.count++; i += 5; }
        own.sum += (unsigned long long)i;
        out[8] = own;
    }
#pragma unroll 3
    for (T i = start; i < limit; i++) out[9].sum += table[(unsigned)i & 15] ^ (int)i;
#pragma unroll 5
    for (T i = start; i < limit; i++) {
        if (table[(unsigned)i & 15] & 1)
            out[10].sum += (unsigned long long)i;
        else
            out[10].count += 2;
    }
    {
        unsigned long long a = 1, b = 2;
        for (T i = start; i < limit; i++) { unsigned long long c = a + table[(unsigned)i & 15]; a = b; b = c; }
        out[11] = Seen{a, b};
    }
}

template <class T>
__global__ void kernel(Seen *out, T start, T limit, const int *table)
{
    // Each thread has a trip count of its own.
    loops<T>(out + threadIdx.x * 12, start, limit < (T)(start + (T)threadIdx.x) ? limit : (T)(limit - (T)threadIdx.x), table);
}

template <class T>
__global__ void alike(Seen *out, T start, T limit, const int *table)
{
    loops<T>(out + threadIdx.x * 12, start, limit, table);
}

int failures;

template <class T>
void check(const char *name, T start, T limit, int *table)
{
    Seen *out, expected[12];
    cudaMallocManaged(&out, 40 * 12 * sizeof(Seen));
    kernel<T><<<1, 40>>>(out, start, limit, table);
    cudaDeviceSynchronize();
    for (int thread = 0; thread < 40; thread++) {
        T own = limit < (T)(start + (T)thread) ? limit : (T)(limit - (T)thread);
        loops<T>(expected, start, own, table);
        for (int form = 0; form < 12; form++)
            if (out[thread * 12 + form].sum != expected[form].sum || out[thread * 12 + form].count != expected[form].count)
                if (failures++ < 5) printf("%s: form %d, thread %d\n", name, form, thread);
    }
    alike<T><<<1, 32>>>(out, start, limit, table);
    cudaDeviceSynchronize();
    loops<T>(expected, start, limit, table);
    for (int form = 0; form < 12; form++)
        if (out[form].sum != expected[form].sum || out[form].count != expected[form].count)
            if (failures++ < 5) printf("%s: form %d\n", name, form);
    cudaFree(out);
}

template <class T>
void all(const char *name, T least, T most, int *table)
{
    for (int trips = 0; trips < 36; trips += 1 + trips / 9) {
        check<T>(name, 0, (T)trips, table);
        check<T>(name, 7, (T)(7 + trips), table);
        check<T>(name, (T)(least + 50), (T)(least + 50 + trips), table);
        check<T>(name, (T)(most - 10 - trips), (T)(most - 10), table);
        check<T>(name, (T)(least + 6), (T)(least + 6 + trips), table);
    }
}

int main()
{
    int *table;
    cudaMallocManaged(&table, 16 * sizeof(int));
    for (int at = 0; at < 16; at++) table[at] = at * at * 7 - 50;
    all<int>("int", INT_MIN, INT_MAX, table);
    all<unsigned>("unsigned", 0, UINT_MAX, table);
    all<long long>("long long", LLONG_MIN, LLONG_MAX, table);
    all<unsigned long long>("unsigned long long", 0, ULLONG_MAX, table);
    printf(failures ? "FAIL\n" : "PASS\n");
    return failures != 0;
}

// out: PASS
