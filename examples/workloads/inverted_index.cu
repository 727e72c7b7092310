// inverted_index: for every link in a set of HTML lines, the lines that have it. A MapReduce program in the style of
// Mars (He et al., PACT 2008): one task (thread) a line, and two passes over the text, because a device without
// dynamic memory has to know how much each task will write: `map_count` counts links and bytes, prefix sums give each
// task its place, `map_emit` scans again and copies the links. `group` sorts them by hash value (a bitonic sort,
// short strides in shared memory) and marks where a new link begins; there is no reduce step.
//
// Measured by: dissertation chapter 5 (Table 5.4, IIX: 1.8 G instructions, 1.09 sectors of a line used).
// Characteristic: each thread walks a text of its own, byte by byte, through a machine of five states, so that a warp
// touches 32 lines with every load; 1536 threads with a line each are twelve times the 16 KB L1. Blocks of 256.
//
// usage: inverted_index [lines [mean length]]

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

enum state { OUTSIDE, IN_TAG, IN_ANCHOR, AFTER_HREF, IN_LINK };

// A link that was found: its bytes in the pool of keys, and where it stood.
struct link {
    int key, length;
    int line, at;
};

// Scans one line for <a ... href="LINK". Without EMIT it counts links and their bytes; with it, it writes them.
template <bool EMIT>
__device__ void map(const char *text, int at, int end, int line, int *links, int *bytes, char *keys, link *found,
                    int2 *order)
{
    int state = OUTSIDE, start = 0, link_at = EMIT ? *links : 0, byte_at = EMIT ? *bytes : 0;
    for (; at < end; at++) {
        char c = text[at];
        switch (state) {
        case OUTSIDE:
            if (c == '<')
                state = IN_TAG;
            break;
        case IN_TAG:
            state = c == 'a' || c == 'A' ? IN_ANCHOR : c == ' ' ? IN_TAG : OUTSIDE;
            break;
        case IN_ANCHOR:
            if (c == '>')
                state = OUTSIDE;
            else if (c == 'h' && text[at + 1] == 'r' && text[at + 2] == 'e' && text[at + 3] == 'f') {
                state = AFTER_HREF;
                at += 3;
            }
            break;
        case AFTER_HREF:
            if (c == '"') {
                state = IN_LINK;
                start = at + 1;
            } else if (c != '=' && c != ' ')
                state = OUTSIDE;
            break;
        case IN_LINK:
            if (c == '"') {
                int length = at - start;
                if (EMIT) {
                    unsigned hash = 5381;
                    for (int i = 0; i < length; i++) {
                        char copied = text[start + i];
                        keys[byte_at + i] = copied;
                        hash = hash * 33 + copied;
                    }
                    found[link_at] = link{byte_at, length, line, start};
                    // The largest number is what fills up the sort.
                    order[link_at] = make_int2(hash == 0xffffffffu ? 0 : hash, link_at);
                }
                link_at++;
                byte_at += length;
                state = OUTSIDE;
            }
            break;
        }
    }
    *links = link_at;
    *bytes = byte_at;
}

__global__ void map_count(const char *text, const int *first, int lines, int *links, int *bytes)
{
    int line = blockIdx.x * blockDim.x + threadIdx.x;
    if (line < lines)
        map<false>(text, first[line], first[line + 1], line, &links[line], &bytes[line], NULL, NULL, NULL);
}

__global__ void map_emit(const char *text, const int *first, int lines, const int *links, const int *bytes, char *keys,
                         link *found, int2 *order)
{
    int line = blockIdx.x * blockDim.x + threadIdx.x;
    if (line >= lines)
        return;
    int link_at = links[line], byte_at = bytes[line];
    map<true>(text, first[line], first[line + 1], line, &link_at, &byte_at, keys, found, order);
}

// Is `a` to stand after `b`? By hash value, and by the links themselves only where these are equal.
__device__ bool after(int2 a, int2 b, const link *found, const char *keys)
{
    if (a.x != b.x)
        return (unsigned)a.x > (unsigned)b.x;
    if (a.y < 0 || b.y < 0)
        return a.y < 0 && b.y >= 0;
    link first = found[a.y], second = found[b.y];
    int shorter = min(first.length, second.length);
    for (int i = 0; i < shorter; i++) {
        int difference = keys[first.key + i] - keys[second.key + i];
        if (difference != 0)
            return difference > 0;
    }
    return first.length != second.length ? first.length > second.length : a.y > b.y;
}

// One step of the bitonic sort whose stride is longer than a chunk.
__global__ void sort_step(int2 *order, int size, int stride, const link *found, const char *keys)
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
__global__ void sort_chunk(int2 *order, int first_size, int last_size, const link *found, const char *keys)
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

// 1 where a link differs from the one before it.
__global__ void mark_groups(const int2 *order, int count, const link *found, const char *keys, int *begins)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count)
        return;
    int differs = i == 0 || order[i].x != order[i - 1].x;
    if (!differs) {
        link mine = found[order[i].y], other = found[order[i - 1].y];
        differs = mine.length != other.length;
        for (int k = 0; !differs && k < mine.length; k++)
            differs = keys[mine.key + k] != keys[other.key + k];
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

void sort(int2 *order, int count, const link *found, const char *keys)
{
    sort_chunk<<<count / CHUNK, BLOCK>>>(order, 2, CHUNK, found, keys);
    for (int size = 2 * CHUNK; size <= count; size *= 2) {
        for (int stride = size / 2; stride >= CHUNK; stride /= 2)
            sort_step<<<count / CHUNK, BLOCK>>>(order, size, stride, found, keys);
        sort_chunk<<<count / CHUNK, BLOCK>>>(order, size, size, found, keys);
    }
}

// Lines of words, tags and links to PAGES pages, popular and unpopular ones; how often each page is linked.
int write_text(char *text, int *first, int lines, int mean, int pages, int *linked)
{
    const int POOL = 4096;
    char pool[POOL];
    const char *tags[] = {"<b>", "</b>", "<br>", "<p>", "< i>", "<td>", "<a name=\"x\">"};
    for (int i = 0; i < POOL; i++)
        pool[i] = random_below(6) == 0 ? ' ' : 'a' + random_below(26);
    int at = 0, links = 0;
    for (int line = 0; line < lines; line++) {
        first[line] = at;
        int left = mean / 2 + random_below(mean + 1);
        while (left > 0) {
            int kind = random_below(8);
            if (kind < 2) {
                // A page's number is the smaller of two: some pages have many links.
                int page = random_below(pages), other = random_below(pages);
                page = other < page ? other : page;
                int wrote = sprintf(text + at, "<a href=\"http://s%d.org/%d\">", page % 97, page);
                linked[page]++;
                links++;
                at += wrote;
                left -= wrote;
            } else if (kind == 2) {
                const char *tag = tags[random_below(7)];
                int length = strlen(tag);
                memcpy(text + at, tag, length);
                at += length;
                left -= length;
            } else {
                int length = 4 + random_below(16);
                memcpy(text + at, pool + random_below(POOL - 20), length);
                at += length;
                left -= length;
            }
        }
        text[at++] = '\n';
    }
    first[lines] = at;
    // What looks ahead for "href" may read beyond the end.
    memset(text + at, '\n', 4);
    return links;
}

int main(int argc, char **argv)
{
    int lines = argument(argc, argv, 1, 2048), mean = argument(argc, argv, 2, 48), pages = lines / 2 + 1;
    int room = lines * (mean * 3 / 2 + 48) + 4;
    char *text = (char *)malloc(room);
    int *first = (int *)malloc((lines + 1) * sizeof(int)), *linked = (int *)calloc(pages, sizeof(int));
    int links = write_text(text, first, lines, mean, pages, linked), size = first[lines];
    printf("inverted_index: %d lines, %d bytes, %d links\n", lines, size, links);

    char *d_text = to_device(text, size + 4);
    int *d_first = to_device(first, lines + 1);
    int *d_links = device_zeros<int>(lines), *d_bytes = device_zeros<int>(lines);
    int *d_links_at = device_zeros<int>(lines), *d_bytes_at = device_zeros<int>(lines);
    int blocks = (lines + BLOCK - 1) / BLOCK;
    map_count<<<blocks, BLOCK>>>(d_text, d_first, lines, d_links, d_bytes);
    int count = prefix_sums(d_links, d_links_at, lines), bytes = prefix_sums(d_bytes, d_bytes_at, lines);
    expect_int("links", 0, links, count);
    if (count == 0)
        return verdict("inverted_index");

    int padded = CHUNK;
    while (padded < count)
        padded *= 2;
    char *d_keys = device_zeros<char>(bytes);
    link *d_found = device_zeros<link>(count);
    int2 *d_order = device_zeros<int2>(padded);
    map_emit<<<blocks, BLOCK>>>(d_text, d_first, lines, d_links_at, d_bytes_at, d_keys, d_found, d_order);
    if (padded > count)
        fill_up<<<(padded - count + BLOCK - 1) / BLOCK, BLOCK>>>(d_order, count, padded);
    sort(d_order, padded, d_found, d_keys);

    int *d_begins = device_zeros<int>(count), *d_group = device_zeros<int>(count);
    int grid = (count + BLOCK - 1) / BLOCK;
    mark_groups<<<grid, BLOCK>>>(d_order, count, d_found, d_keys, d_begins);
    int groups = prefix_sums(d_begins, d_group, count);
    int *d_group_first = device_zeros<int>(groups);
    write_groups<<<grid, BLOCK>>>(d_begins, d_group, count, d_group_first);

    // Every page that is linked is one group, as long as the page has links, and all of it lies in the text.
    int expected_groups = 0;
    for (int page = 0; page < pages; page++)
        expected_groups += linked[page] > 0;
    expect_int("groups", 0, expected_groups, groups);
    link *found = to_host(d_found, count);
    int2 *order = to_host(d_order, count);
    int *group_first = to_host(d_group_first, groups);
    int step = groups / 4000 + 1;
    for (int group = 0; group < groups; group += step) {
        int from = group_first[group], to = group + 1 < groups ? group_first[group + 1] : count, page = -1;
        for (int i = from; i < to; i++) {
            link one = found[order[i].y];
            char url[32] = "";
            memcpy(url, text + one.at, one.length);
            int here = atoi(strrchr(url, '/') + 1);
            if (i == from)
                page = here;
            expect_int("page of group", group, page, here);
            expect_int("line of link", i, 1, first[one.line] <= one.at && one.at < first[one.line + 1]);
        }
        expect_int("links of page", page, linked[page], to - from);
    }
    return verdict("inverted_index");
}
