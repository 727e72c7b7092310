// The order of equal elements after `sort` and its kin, which the standard leaves open, is that of libstdc++ 12.
#include <algorithm>
#include <cstdio>
#include <functional>
#include <numeric>
#include <random>
#include <vector>

struct item {
    int key, number;
};
bool operator<(const item &a, const item &b) { return a.key < b.key; }

static std::vector<item> items(int count, int keys, unsigned seed)
{
    std::minstd_rand draw(seed);
    std::vector<item> made;
    for (int i = 0; i < count; i++)
        made.push_back({(int)(draw() % keys), i});
    return made;
}

static void show(const char *name, const std::vector<item> &of)
{
    unsigned long sum = 0;
    for (const item &one : of)
        sum = sum * 1000003 + one.key * 7919 + one.number;
    printf("%s %zu %lu\n", name, of.size(), sum);
}

int main()
{
    for (int count : {0, 1, 2, 15, 16, 17, 33, 100, 1000}) {
        std::vector<item> a = items(count, 5, count + 1), b = a, c = a, d = a, e = a, f = a;
        std::sort(a.begin(), a.end());
        show("sort", a);
        std::sort(b.begin(), b.end(), [](const item &x, const item &y) { return y.key < x.key; });
        show("downwards", b);
        std::stable_sort(c.begin(), c.end());
        show("stable", c);
        std::nth_element(d.begin(), d.begin() + count / 3, d.end());
        show("nth", d);
        std::partial_sort(e.begin(), e.begin() + count / 4, e.end());
        show("partial", e);
        std::make_heap(f.begin(), f.end());
        show("heap", f);
        if (count > 1)
            std::pop_heap(f.begin(), f.end());
        show("popped", f);
        std::sort_heap(f.begin(), f.end() - (count > 1));
        show("unheaped", f);
        auto end = std::partition(c.begin(), c.end(), [](const item &x) { return x.number % 3 == 0; });
        printf("%td ", end - c.begin());
        show("partitioned", c);
        std::reverse(c.begin(), c.end());
        std::rotate(c.begin(), c.begin() + count / 5, c.end());
        show("rotated", c);
    }
    // Worst for the median of three: the heap takes over.
    std::vector<int> killer;
    for (int i = 0; i < 3000; i++)
        killer.push_back(i % 2 ? i : 3000 - i);
    std::sort(killer.begin(), killer.end());
    printf("%d\n", std::is_sorted(killer.begin(), killer.end()));
    int numbers[] = {5, 3, 8, 1, 9, 2};
    std::sort(numbers, numbers + 6, std::greater<int>());
    for (int x : numbers)
        printf("%d ", x);
    printf("%d %d\n", std::accumulate(numbers, numbers + 6, 0), *std::min_element(numbers, numbers + 6));
    std::vector<int> v = {1, 1, 2, 3, 3, 3, 4};
    v.erase(std::unique(v.begin(), v.end()), v.end());
    v.erase(std::remove(v.begin(), v.end(), 3), v.end());
    do {
        for (int x : v)
            printf("%d", x);
        printf(" ");
    } while (std::next_permutation(v.begin(), v.end()));
    std::vector<int> sums(3);
    std::partial_sum(v.begin(), v.end(), sums.begin());
    auto found = std::lower_bound(sums.begin(), sums.end(), 3);
    printf("%d %td %d\n", sums[2], found - sums.begin(), (int)std::count_if(sums.begin(), sums.end(), [](int x) { return x & 1; }));
}

// out: sort 0 0
// out: downwards 0 0
// out: stable 0 0
// out: nth 0 0
// out: partial 0 0
// out: heap 0 0
// out: popped 0 0
// out: unheaped 0 0
// out: 0 partitioned 0 0
// out: rotated 0 0
// out: sort 1 15838
// out: downwards 1 15838
// out: stable 1 15838
// out: nth 1 15838
// out: partial 1 15838
// out: heap 1 15838
// out: popped 1 15838
// out: unheaped 1 15838
// out: 1 partitioned 1 15838
// out: rotated 1 15838
// out: sort 2 15839071274
// out: downwards 2 23757087110
// out: stable 2 15839071274
// out: nth 2 15839071274
// out: partial 2 15839071274
// out: heap 2 23757087110
// out: popped 2 15839071274
// out: unheaped 2 15839071274
// out: 1 partitioned 2 23757087110
// out: rotated 2 15839071274
// out: sort 15 4928313975008603245
// out: downwards 15 17230840045865371973
// out: stable 15 4928313975008603245
// out: nth 15 11857769335259942957
// out: partial 15 1016566032749146787
// out: heap 15 10758179104212082093
// out: popped 15 12292494515073314905
// out: unheaped 15 15034364661679571937
// out: 5 partitioned 15 12953124085011268627
// out: rotated 15 4345125199947489679
// out: sort 16 2000559384599938049
// out: downwards 16 15620545611785326533
// out: stable 16 2000559384599938049
// out: nth 16 13436439588845504349
// out: partial 16 6866498683336858347
// out: heap 16 13104728999867839791
// out: popped 16 462795026503687029
// out: unheaped 16 14616829530166136055
// out: 6 partitioned 16 1655415919647371849
// out: rotated 16 12634387918034095297
// out: sort 17 3972073373637740651
// out: downwards 17 10970961704657457999
// out: stable 17 10021775984597185935
// out: nth 17 14443206239645136109
// out: partial 17 5052248238496660717
// out: heap 17 8024700834473552703
// out: popped 17 12456492256176732569
// out: unheaped 17 11955923233308080083
// out: 6 partitioned 17 15877699271146495029
// out: rotated 17 10800756890256481999
// out: sort 33 7486156872566058427
// out: downwards 33 15060276767946745345
// out: stable 33 3238500710168702947
// out: nth 33 12527619177693263929
// out: partial 33 16647545006435871693
// out: heap 33 427085846168602839
// out: popped 33 17468877253843391963
// out: unheaped 33 8749290307438530279
// out: 11 partitioned 33 17176148793060219075
// out: rotated 33 16391242838523121027
// out: sort 100 6066118963668075746
// out: downwards 100 293936809001967814
// out: stable 100 15195692813190744746
// out: nth 100 15303116757470421918
// out: partial 100 458539793911672862
// out: heap 100 1336812700788475752
// out: popped 100 3813032675400602882
// out: unheaped 100 12513306940151919544
// out: 34 partitioned 100 17958238342369808982
// out: rotated 100 4500839677145051322
// out: sort 1000 17936903266567884513
// out: downwards 1000 16281175222302184455
// out: stable 1000 17057473059901053177
// out: nth 1000 1023309551696132437
// out: partial 1000 8321530903446028011
// out: heap 1000 16201032965219702745
// out: popped 1000 8837297809740888251
// out: unheaped 1000 15739101809143093277
// out: 334 partitioned 1000 3396730762208229909
// out: rotated 1000 7903931096697482567
// out: 1
// out: 9 8 5 3 2 1 28 1
// out: 124 142 214 241 412 421 7 1 3
