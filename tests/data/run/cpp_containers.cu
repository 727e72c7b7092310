// Vectors and strings: what they copy, move and end, in which order, and how their memory grows, as in libstdc++ 12.
#include <cstdio>
#include <vector>
#include <string>
#include <algorithm>
#include <iostream>
struct noisy {
    int n;
    noisy(int n) : n(n) { printf("make %d\n", n); }
    noisy(const noisy &o) : n(o.n) { printf("copy %d\n", n); }
    noisy(noisy &&o) noexcept : n(o.n) { o.n = -1; printf("move %d\n", n); }
    noisy &operator=(const noisy &o) { n = o.n; printf("assign %d\n", n); return *this; }
    ~noisy() { printf("end %d\n", n); }
};
std::ostream &operator<<(std::ostream &to, const noisy &of) { return to << "noisy " << of.n; }
int main()
{
    {
        std::vector<noisy> v;
        v.reserve(2);
        v.push_back(noisy(1));
        v.push_back(noisy(2));
        v.push_back(noisy(3));
        printf("%zu %zu\n", v.size(), v.capacity());
        v.erase(v.begin());
        noisy four(4);
        v.push_back(four);
        std::cout << v[0] << std::endl;
        for (const noisy &one : v) printf("%d ", one.n);
        printf("\n");
    }
    std::vector<int> c;
    for (int i = 0; i < 20; i++) { c.push_back(i); printf("%zu ", c.capacity()); }
    printf("\n");
    c.insert(c.begin() + 3, 5, 77); printf("%zu %zu %d\n", c.size(), c.capacity(), c[7]);
    c.resize(60); printf("%zu %zu\n", c.size(), c.capacity());
    c.assign(3, 9); printf("%zu %zu\n", c.size(), c.capacity());
    c.shrink_to_fit(); printf("%zu %zu\n", c.size(), c.capacity());
    std::vector<bool> b(70); b[3] = true; auto r = b[3]; r = false; printf("%d %zu %zu\n", (int)b[3], b.size(), b.capacity());
    std::string s = "abc"; printf("%zu\n", s.capacity());
    s += "defghijklmnopqrstuvw"; printf("%zu %zu\n", s.size(), s.capacity());
    s.insert(3, "--"); s.erase(0, 1); s.replace(0, 2, "XYZ");
    printf("%s %zu %zu\n", s.c_str(), s.find("gh"), s.rfind('w'));
    std::vector<std::pair<int, float>> p; p.push_back({1, 2.5f}); p.push_back({0, 1.5f});
    std::sort(p.begin(), p.end());
    for (auto &q : p) printf("%d %g\n", q.first, q.second);
    for (int x : {3, 1, 2}) printf("%d ", x);
    printf("%d %d\n", std::max({4, 9, 2}), std::min({4, 9, 2}));
    std::vector<std::vector<int>> n = {{1, 2}, {3}, {}};
    printf("%zu %zu %zu\n", n[0].size(), n[1].size(), n[2].size());
    std::vector<std::string> t{"x", "yy"}; std::cout << t[1] << " " << (t[0] < t[1]) << "\n";
    int total = 0;
    std::for_each(c.begin(), c.end(), [&total](int x) { total += x; });
    printf("%d\n", total);
    auto make = [](int n) { return std::vector<int>(n, 7); };
    printf("%d\n", make(4)[3]);
    std::string line = std::string("a") + "b" + 'c' + std::to_string(1.5);
    std::cout << line << std::endl;
}

// out: make 1
// out: move 1
// out: end -1
// out: make 2
// out: move 2
// out: end -1
// out: make 3
// out: move 3
// out: move 1
// out: end -1
// out: move 2
// out: end -1
// out: end -1
// out: 3 4
// out: assign 2
// out: assign 3
// out: end 3
// out: make 4
// out: copy 4
// out: noisy 2
// out: 2 3 4
// out: end 4
// out: end 2
// out: end 3
// out: end 4
// out: 1 2 4 4 8 8 8 8 16 16 16 16 16 16 16 16 32 32 32 32
// out: 25 32 77
// out: 60 60
// out: 3 60
// out: 3 3
// out: 0 70 128
// out: 15
// out: 23 30
// out: XYZ--defghijklmnopqrstuvw 8 24
// out: 0 1.5
// out: 1 2.5
// out: 3 1 2 9 2
// out: 2 1 0
// out: yy 1
// out: 27
// out: 7
// out: abc1.500000
