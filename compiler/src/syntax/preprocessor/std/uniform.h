// A number from 0 to `most`, each as likely as another, of what a generator draws, as libstdc++ takes it.

namespace std {

static inline unsigned long __upper_half(unsigned long a, unsigned long b)
{
    const unsigned long low = 0xffffffff, a_low = a & low, a_high = a >> 32, b_low = b & low, b_high = b >> 32;
    const unsigned long middle = a_high * b_low + (a_low * b_low >> 32), other = a_low * b_high + (middle & low);
    return a_high * b_high + (middle >> 32) + (other >> 32);
}

template <class G> unsigned long __uniform(G &g, unsigned long most);

// Of numbers up to `range` a larger one.
template <class G> unsigned long __uniform_of_several(G &g, unsigned long most, unsigned long range)
{
    unsigned long high, result;
    do {
        high = (range + 1) * std::__uniform(g, most / (range + 1));
        result = high + (g() - g.min());
    } while (result > most || result < high);
    return result;
}

template <class G> unsigned long __uniform(G &g, unsigned long most)
{
    const unsigned long least = g.min(), range = g.max() - least;
    if (range == most)
        return g() - least;
    if (range < most)
        return std::__uniform_of_several(g, most, range);
    const unsigned long count = most + 1;
    if (range == 0xffffffff) {
        // Of the product of a number of 32 bits and the count the upper half is nearly uniform.
        unsigned long product = (g() & 0xffffffff) * count;
        if ((unsigned)product < (unsigned)count) {
            const unsigned threshold = -(unsigned)count % (unsigned)count;
            while ((unsigned)product < threshold)
                product = (g() & 0xffffffff) * count;
        }
        return product >> 32;
    }
    if (range == ULONG_MAX) {
        unsigned long drawn = g();
        if (drawn * count < count) {
            const unsigned long threshold = -count % count;
            while (drawn * count < threshold)
                drawn = g();
        }
        return std::__upper_half(drawn, count);
    }
    const unsigned long scale = range / count, past = count * scale;
    unsigned long drawn;
    do {
        drawn = g() - least;
    } while (drawn >= past);
    return drawn / scale;
}

}
