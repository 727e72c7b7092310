// page_view_count: how many different visitors (addresses) each page of a web log has had. A MapReduce program in the
// style of Mars (He et al., PACT 2008), two jobs one after the other. The first maps each line of the log to the key
// `page + address` and keeps one of each group of equal keys; the second maps these to the page and counts each group.
// A task (thread) has a line, or a group. Map runs twice, to count and to write, with prefix sums between; keys point
// into the log and are sorted by hash value with a bitonic sort (short strides in shared memory), and then compared
// byte by byte.
//
// Measured by: dissertation chapter 5 (Table 5.4, PVC: 5.4 G instructions, 1.75 sectors of a line used).
// Characteristic: each thread reads a text of its own byte by byte (32 lines a load), sorting is regular
// while hash values differ, and groups have very different sizes: one thread walks through a popular page's whole
// group. Blocks of 256.
//
// usage: page_view_count [lines [pages]]

#include "workload.h"

const int BLOCK = 256, CHUNK = 512;

// Exclusive prefix sums of CHUNK elements a block, after Blelloch; `sums` gets the blocks' totals.
__global__ void scan_chunk(const int *in, int *out, int *sums, int count)
{
    __shared__ int part[CHUNK];
    int base = blockIdx.x * CHUNK, thread = threadIdx.x;
    part[thread] = base + thread < count ? in[base + thread] : 0;
    part[thread + BLOCK] = base + thread + BLOCK < count ? in[base + thread + BLOCK] : 0;
    int stride = 1;
    for (int half = CHUNK / 2; half > 0; half /= 2) {
        __syncthreads();
        if (thread < half)
            part[stride * (2 * thread + 2) - 1] += part[stride * (2 * thread + 1) - 1];
        stride *= 2;
    }
    __syncthreads();
    if (thread == 0) {
        sums[blockIdx.x] = part[CHUNK - 1];
        part[CHUNK - 1] = 0;
    }
    for (int half = 1; half < CHUNK; half *= 2) {
        stride /= 2;
        __syncthreads();
        if (thread < half) {
            int left = stride * (2 * thread + 1) - 1, right = stride * (2 * thread + 2) - 1;
            int kept = part[left];
            part[left] = part[right];
            part[right] += kept;
        }
    }
    __syncthreads();
    if (base + thread < count)
        out[base + thread] = part[thread];
    if (base + thread + BLOCK < count)
        out[base + thread + BLOCK] = part[thread + BLOCK];
}

__global__ void add_sums(int *out, const int *sums, int count)
{
    int base = blockIdx.x * CHUNK + threadIdx.x;
    if (base < count)
        out[base] += sums[blockIdx.x];
    if (base + BLOCK < count)
        out[base + BLOCK] += sums[blockIdx.x];
}

// Exclusive prefix sums of a device array, and the total.
int prefix_sums(const int *in, int *out, int count)
{
    int blocks = (count + CHUNK - 1) / CHUNK, total;
    int *sums = device_zeros<int>(blocks);
    scan_chunk<<<blocks, BLOCK>>>(in, out, sums, count);
    if (blocks == 1) {
        CHECK(cudaMemcpy(&total, sums, sizeof(int), cudaMemcpyDeviceToHost));
    } else {
        int *before = device_zeros<int>(blocks);
        total = prefix_sums(sums, before, blocks);
        add_sums<<<blocks, BLOCK>>>(out, before, count);
        CHECK(cudaFree(before));
    }
    CHECK(cudaFree(sums));
    return total;
}

// A key: its place and length in the log.
struct key {
    int at, length;
};

// The largest number is what fills up the sort.
__device__ unsigned not_the_last(unsigned hash)
{
    return hash == 0xffffffffu ? 0 : hash;
}

// All records have one size.
__global__ void map_count(int lines, int *key_bytes, int *value_bytes)
{
    int line = blockIdx.x * blockDim.x + threadIdx.x;
    if (line < lines) {
        key_bytes[line] = sizeof(key);
        value_bytes[line] = sizeof(int);
    }
}

// A line is `page TAB address TAB cookie NEWLINE`; its key is all before the second tab, by place and hash value.
__global__ void map_emit(const char *log, const int *first, int lines, const int *key_at, char *keys, int2 *order)
{
    int line = blockIdx.x * blockDim.x + threadIdx.x;
    if (line >= lines)
        return;
    int start = first[line], at = start, tabs = 0;
    unsigned hash = 5381;
    while (true) {
        char c = log[at];
        if (c == '\n' || (c == '\t' && ++tabs == 2))
            break;
        hash = hash * 33 + c;
        at++;
    }
    *(key *)(keys + key_at[line]) = key{start, at - start};
    order[line] = make_int2(not_the_last(hash), line);
}

// One thread a group: the first of equal keys stands for all, and its page is the second job's key.
__global__ void reduce_distinct(const int2 *order, const int *group_first, int groups, const char *log,
                                const key *keys, key *pages, int2 *page_order)
{
    int group = blockIdx.x * blockDim.x + threadIdx.x;
    if (group >= groups)
        return;
    key whole = keys[order[group_first[group]].y];
    unsigned hash = 5381;
    int length = 0;
    while (length < whole.length) {
        char c = log[whole.at + length];
        if (c == '\t')
            break;
        hash = hash * 33 + c;
        length++;
    }
    pages[group] = key{whole.at, length};
    page_order[group] = make_int2(not_the_last(hash), group);
}

// One thread a group: adds up the group's values, each of which is 1.
__global__ void reduce_count(const int2 *order, const int *group_first, int groups, int records, const int *values,
                             int *counts)
{
    int group = blockIdx.x * blockDim.x + threadIdx.x;
    if (group >= groups)
        return;
    int end = group + 1 < groups ? group_first[group + 1] : records, sum = 0;
    for (int i = group_first[group]; i < end; i++)
        sum += values[order[i].y];
    counts[group] = sum;
}

// Is `a` to stand after `b`? By hash value, and by the bytes themselves only where these are equal.
__device__ bool after(int2 a, int2 b, const key *found, const char *keys)
{
    if (a.x != b.x)
        return (unsigned)a.x > (unsigned)b.x;
    if (a.y < 0 || b.y < 0)
        return a.y < 0 && b.y >= 0;
    key first = found[a.y], second = found[b.y];
    int shorter = min(first.length, second.length);
    for (int i = 0; i < shorter; i++) {
        int difference = keys[first.at + i] - keys[second.at + i];
        if (difference != 0)
            return difference > 0;
    }
    return first.length != second.length ? first.length > second.length : a.y > b.y;
}

// One step of the bitonic sort whose stride is longer than a chunk.
__global__ void sort_step(int2 *order, int size, int stride, const key *found, const char *keys)
{
    int thread = blockIdx.x * blockDim.x + threadIdx.x;
    int low = 2 * thread - (thread & (stride - 1)), high = low + stride;
    int2 a = order[low], b = order[high];
    if (after(a, b, found, keys) == ((low & size) == 0)) {
        order[low] = b;
        order[high] = a;
    }
}

// The steps of one or more sizes with strides within a chunk, in shared memory.
__global__ void sort_chunk(int2 *order, int first_size, int last_size, const key *found, const char *keys)
{
    __shared__ int2 part[CHUNK];
    int base = blockIdx.x * CHUNK, thread = threadIdx.x;
    part[thread] = order[base + thread];
    part[thread + BLOCK] = order[base + thread + BLOCK];
    for (int size = first_size; size <= last_size; size *= 2) {
        for (int stride = min(size, CHUNK) / 2; stride > 0; stride /= 2) {
            __syncthreads();
            int low = 2 * thread - (thread & (stride - 1)), high = low + stride;
            int2 a = part[low], b = part[high];
            if (after(a, b, found, keys) == (((base + low) & size) == 0)) {
                part[low] = b;
                part[high] = a;
            }
        }
    }
    __syncthreads();
    order[base + thread] = part[thread];
    order[base + thread + BLOCK] = part[thread + BLOCK];
}

// 1 where a key differs from the one before it.
__global__ void mark_groups(const int2 *order, int count, const key *found, const char *keys, int *begins)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count)
        return;
    int differs = i == 0 || order[i].x != order[i - 1].x;
    if (!differs) {
        key mine = found[order[i].y], other = found[order[i - 1].y];
        differs = mine.length != other.length;
        for (int k = 0; !differs && k < mine.length; k++)
            differs = keys[mine.at + k] != keys[other.at + k];
    }
    begins[i] = differs;
}

__global__ void write_groups(const int *begins, const int *group, int count, int *first)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count && begins[i])
        first[group[i]] = i;
}

__global__ void fill_up(int2 *order, int from, int to)
{
    int i = from + blockIdx.x * blockDim.x + threadIdx.x;
    if (i < to)
        order[i] = make_int2(-1, -1);
}

void sort(int2 *order, int count, const key *found, const char *keys)
{
    sort_chunk<<<count / CHUNK, BLOCK>>>(order, 2, CHUNK, found, keys);
    for (int size = 2 * CHUNK; size <= count; size *= 2) {
        for (int stride = size / 2; stride >= CHUNK; stride /= 2)
            sort_step<<<count / CHUNK, BLOCK>>>(order, size, stride, found, keys);
        sort_chunk<<<count / CHUNK, BLOCK>>>(order, size, size, found, keys);
    }
}

int padded_size(int count)
{
    int padded = CHUNK;
    while (padded < count)
        padded *= 2;
    return padded;
}

// Sorts the first `count` of `padded` records and finds where groups begin; how many there are.
int group(int2 *order, int count, int padded, const key *keys, const char *log, int **group_first)
{
    if (padded > count)
        fill_up<<<(padded - count + BLOCK - 1) / BLOCK, BLOCK>>>(order, count, padded);
    sort(order, padded, keys, log);
    int *begins = device_zeros<int>(count), *number = device_zeros<int>(count);
    int blocks = (count + BLOCK - 1) / BLOCK;
    mark_groups<<<blocks, BLOCK>>>(order, count, keys, log, begins);
    int groups = prefix_sums(begins, number, count);
    *group_first = device_zeros<int>(groups);
    write_groups<<<blocks, BLOCK>>>(begins, number, count, *group_first);
    CHECK(cudaFree(begins));
    CHECK(cudaFree(number));
    return groups;
}

// A log whose pages are popular and unpopular; `page_of` and `visitor_of` say what each line is.
void write_log(char *log, int *first, int lines, int pages, int visitors, int *page_of, int *visitor_of)
{
    int at = 0;
    for (int line = 0; line < lines; line++) {
        int page = random_below(pages), other = random_below(pages), visitor = random_below(visitors);
        page = other < page ? other : page;
        first[line] = at;
        page_of[line] = page;
        visitor_of[line] = visitor;
        at += sprintf(log + at, "http://w%d.net/%d\t%d.%d.%d\tc%x\n", page % 53, page, visitor % 199,
                      visitor / 199 % 211, visitor / 41989, random_below(1 << 16));
    }
    first[lines] = at;
}

int main(int argc, char **argv)
{
    int lines = argument(argc, argv, 1, 4096), pages = argument(argc, argv, 2, lines / 16 + 1);
    int visitors = 61;
    char *log = (char *)malloc(lines * 56);
    int *first = (int *)malloc((lines + 1) * sizeof(int));
    int *page_of = (int *)malloc(lines * sizeof(int)), *visitor_of = (int *)malloc(lines * sizeof(int));
    write_log(log, first, lines, pages, visitors, page_of, visitor_of);
    printf("page_view_count: %d lines, %d bytes, %d pages\n", lines, first[lines], pages);

    // First job: the different pairs of a page and a visitor.
    char *d_log = to_device(log, first[lines]);
    int *d_first = to_device(first, lines + 1), *d_key_bytes = device_zeros<int>(lines);
    int *d_value_bytes = device_zeros<int>(lines), *d_key_at = device_zeros<int>(lines);
    int *d_value_at = device_zeros<int>(lines);
    int blocks = (lines + BLOCK - 1) / BLOCK, padded = padded_size(lines);
    map_count<<<blocks, BLOCK>>>(lines, d_key_bytes, d_value_bytes);
    expect_int("bytes of keys", 0, lines * sizeof(key), prefix_sums(d_key_bytes, d_key_at, lines));
    expect_int("bytes of values", 0, lines * sizeof(int), prefix_sums(d_value_bytes, d_value_at, lines));
    key *d_keys = device_zeros<key>(lines);
    int2 *d_order = device_zeros<int2>(padded);
    map_emit<<<blocks, BLOCK>>>(d_log, d_first, lines, d_key_at, (char *)d_keys, d_order);
    int *d_pairs_first;
    int pairs = group(d_order, lines, padded, d_keys, d_log, &d_pairs_first);

    // Second job: how many pairs each page has.
    padded = padded_size(pairs);
    key *d_pages = device_zeros<key>(pairs);
    int2 *d_page_order = device_zeros<int2>(padded);
    reduce_distinct<<<(pairs + BLOCK - 1) / BLOCK, BLOCK>>>(d_order, d_pairs_first, pairs, d_log, d_keys, d_pages,
                                                            d_page_order);
    int *d_pages_first;
    int groups = group(d_page_order, pairs, padded, d_pages, d_log, &d_pages_first);
    int *ones = (int *)malloc(pairs * sizeof(int));
    for (int i = 0; i < pairs; i++)
        ones[i] = 1;
    int *d_ones = to_device(ones, pairs), *d_counts = device_zeros<int>(groups);
    reduce_count<<<(groups + BLOCK - 1) / BLOCK, BLOCK>>>(d_page_order, d_pages_first, groups, pairs, d_ones, d_counts);

    // On the host a table of pages and visitors does it.
    char *seen = (char *)calloc(pages * visitors, 1);
    int *expected = (int *)calloc(pages, sizeof(int)), expected_pairs = 0, expected_groups = 0;
    for (int line = 0; line < lines; line++) {
        char *pair = &seen[page_of[line] * visitors + visitor_of[line]];
        if (*pair == 0) {
            *pair = 1;
            expected_pairs++;
            expected_groups += expected[page_of[line]]++ == 0;
        }
    }
    expect_int("pairs", 0, expected_pairs, pairs);
    expect_int("pages", 0, expected_groups, groups);
    int *counts = to_host(d_counts, groups), *pages_first = to_host(d_pages_first, groups);
    int2 *order = to_host(d_page_order, pairs);
    key *found = to_host(d_pages, pairs);
    for (int i = 0; i < groups; i++) {
        key one = found[order[pages_first[i]].y];
        char url[40] = "";
        memcpy(url, log + one.at, one.length);
        int page = atoi(strrchr(url, '/') + 1);
        expect_int("visitors of page", page, expected[page], counts[i]);
    }
    return verdict("page_view_count");
}
