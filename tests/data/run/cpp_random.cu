// The engines are exact by the standard; the distributions draw what libstdc++ 12 draws.
#include <algorithm>
#include <cstdio>
#include <random>
#include <vector>

template <class E> void engine(const char *name)
{
    E e, f(123456789u);
    unsigned long long sum = 0;
    for (int i = 0; i < 10000; i++)
        sum = sum * 31 + e();
    f.discard(1000);
    printf("%s %llu %llu %llu\n", name, (unsigned long long)e(), (unsigned long long)f(), sum);
}

template <class T, class G> void uniform(G g, T a, T b)
{
    std::uniform_int_distribution<T> d(a, b);
    unsigned long long sum = 0;
    for (int i = 0; i < 500; i++)
        sum = sum * 31 + (unsigned long long)d(g);
    printf("%lld %llu\n", (long long)d(g), sum);
}

template <class D, class G> void real(D d, G g)
{
    for (int i = 0; i < 4; i++)
        printf("%.17g ", (double)d(g));
    double sum = 0;
    for (int i = 0; i < 500; i++)
        sum += d(g);
    printf("%.17g\n", sum);
}

int main()
{
    engine<std::mt19937>("mt19937");
    engine<std::mt19937_64>("mt19937_64");
    engine<std::minstd_rand>("minstd_rand");
    engine<std::minstd_rand0>("minstd_rand0");
    engine<std::default_random_engine>("default_random_engine");
    std::mt19937 g(42);
    std::mt19937_64 w(42);
    std::default_random_engine e(42);
    uniform<int>(g, 1, 6);
    uniform<int>(w, -100, 100);
    uniform<int>(e, 0, 2147483647);
    uniform<int>(e, -2147483647 - 1, 2147483647);
    uniform<unsigned long long>(g, 0, ~0ull);
    uniform<unsigned long long>(w, 0, ~0ull);
    uniform<unsigned long long>(w, 3, 1ull << 63);
    uniform<long>(e, -5000000000l, 5000000000l);
    uniform<short>(g, -7, 300);
    uniform<unsigned>(g, 0, ~0u);
    real(std::uniform_real_distribution<float>(0, 1), g);
    real(std::uniform_real_distribution<double>(-1, 1), g);
    real(std::uniform_real_distribution<float>(-5, 10), e);
    real(std::uniform_real_distribution<double>(0, 1), e);
    real(std::uniform_real_distribution<double>(0, 1), w);
    real(std::uniform_real_distribution<float>(0, 1), w);
    std::bernoulli_distribution coin(0.3);
    std::discrete_distribution<int> choice{1, 2, 3, 4};
    unsigned heads = 0, chosen = 0;
    for (int i = 0; i < 1000; i++) {
        heads = heads * 3 + coin(g);
        chosen = chosen * 5 + choice(g);
    }
    printf("%u %u\n", heads, chosen);
    std::vector<int> deck(52);
    for (int i = 0; i < 52; i++)
        deck[i] = i;
    std::shuffle(deck.begin(), deck.end(), g);
    for (int card : deck)
        printf("%d ", card);
    std::shuffle(deck.begin(), deck.begin() + 51, std::default_random_engine(5));
    for (int card : deck)
        printf("%d ", card);
    printf("\n");
}

// out: mt19937 725333953 2253697979 7326185389440714897
// out: mt19937_64 12817013174496719417 813153200890322813 11386952172352608307
// out: minstd_rand 1573301349 2067289237 8397208930979364905
// out: minstd_rand0 1589873406 1904254610 17801567683225862458
// out: default_random_engine 1589873406 1904254610 17801567683225862458
// out: 2 5457231201457875783
// out: 67 8336377052444433944
// out: 1069293693 1573920898261175140
// out: -150163035 2666929792791936669
// out: -5567933527233274946 12489308479934150164
// out: -3035403585127471193 17813271387429290474
// out: 7705670244291040212 5014522435933133047
// out: -2035790191 9105841017120518604
// out: 83 13058973560076578609
// out: 1264648382 5249318169089930620
// out: 0.37454012036323547 0.79654300212860107 0.95071429014205933 0.18343478441238403 249.29894839203916
// out: 0.59308596857569196 -0.63313042421326304 0.5593819952253225 0.1937003231601131 -2.2217403943731755
// out: -4.9950695037841797 2.8688063621520996 6.0313529968261719 -1.0504169464111328 1221.9484496116638
// out: 0.52458710179175383 0.26330554078427826 0.19628582558072902 0.51231810869672811 237.50846446771578
// out: 0.75515553295453897 0.63903139385469743 0.7521452007480266 0.13627268363243711 246.39977957304211
// out: 0.75515550374984741 0.63903141021728516 0.75214517116546631 0.13627268373966217 246.39977990993066
// out: 698033654 380586230
// out: 2 42 44 13 16 34 47 18 30 31 39 24 3 12 14 41 0 35 36 9 49 6 28 21 17 5 15 26 50 46 10 22 1 38 51 7 11 45 4 8 37 29 40 43 48 19 20 25 32 23 27 33 10 7 36 29 48 0 41 35 46 49 13 23 38 8 32 37 42 39 18 43 22 20 14 47 1 28 44 27 40 17 15 25 50 4 45 3 21 12 24 9 31 51 16 19 26 30 34 6 11 2 5 33
