/* Reals as decimal text: the shortest that reads back exactly, and among these the closest.
 * The algorithm is Schubfach (Giulietti, "The Schubfach way to render doubles", 2021). */
#include "base/text.h"

#include <math.h>
#include <stdio.h>

typedef struct Pow10 {
    uint64_t high, low;
} Pow10;

enum { POW10_FIRST = -292 };

static const Pow10 pow10_table[] = {
#define X(high, low) {high, low},
#include "base/pow10.def"
#undef X
};

typedef struct Decimal {
    uint64_t digits;
    int exponent; /* value = digits * 10^exponent */
} Decimal;

__extension__ typedef unsigned __int128 Wide;

/* The upper half of g*x, with its lowest bit set if any bit was lost. */
static uint64_t round_to_odd(Pow10 g, uint64_t x)
{
    Wide low = (Wide)g.low * x, high = (Wide)g.high * x + (uint64_t)(low >> 64);
    return (uint64_t)(high >> 64) | ((uint64_t)high > 1);
}

static int floor_log2_pow10(int e)
{
    return (e * 1741647) >> 19;
}

/* For x = c * 2^q; `closer`: the lower neighbour is only half as far away as the upper one. */
static Decimal shortest(uint64_t c, int q, bool closer)
{
    bool odd = c & 1;
    int k = (q * 1262611 - (closer ? 524031 : 0)) >> 22;
    int h = q + floor_log2_pow10(-k) + 1;
    Pow10 g = pow10_table[-k - POW10_FIRST];
    uint64_t below = round_to_odd(g, (4 * c - 2 + closer) << h) + odd;
    uint64_t v = round_to_odd(g, 4 * c << h);
    uint64_t above = round_to_odd(g, (4 * c + 2) << h) - odd;
    uint64_t s = v / 4, tens = s / 10;
    if (s >= 10) {
        bool down = below <= 40 * tens, up = 40 * tens + 40 <= above;
        if (down != up)
            return (Decimal){tens + up, k + 1};
    }
    bool down = below <= 4 * s, up = 4 * s + 4 <= above;
    if (down != up)
        return (Decimal){s + up, k};
    uint64_t middle = 4 * s + 2;
    return (Decimal){s + (v > middle || (v == middle && (s & 1))), k};
}

/* Digits of d with the decimal point after `point` of them (or outside), or with an exponent. */
static size_t write_decimal(char *out, Decimal d)
{
    char digits[24] = {0};
    while (d.digits && d.digits % 10 == 0) {
        d.digits /= 10;
        d.exponent++;
    }
    int n = 0;
    for (uint64_t x = d.digits; x; x /= 10)
        n++;
    for (int i = n - 1; i >= 0; i--, d.digits /= 10)
        digits[i] = (char)('0' + d.digits % 10);
    int point = n + d.exponent;
    char *p = out;
    if (point < -3 || point > 16) {
        *p++ = digits[0];
        if (n > 1)
            *p++ = '.';
        memcpy(p, digits + 1, (size_t)(n - 1));
        p += n - 1;
        return (size_t)(p - out) + (size_t)sprintf(p, "e%d", point - 1);
    }
    for (int i = point < 1 ? point - 1 : 0; i < n || i < point; i++) {
        if (i == point && i > 0)
            *p++ = '.';
        *p++ = i >= 0 && i < n ? digits[i] : '0';
        if (i == point - 1 && point < 1)
            *p++ = '.';
    }
    *p = 0;
    return (size_t)(p - out);
}

size_t real_print(char buf[REAL_TEXT], double x)
{
    if (isnan(x))
        return (size_t)sprintf(buf, "nan");
    if (isinf(x))
        return (size_t)sprintf(buf, x < 0 ? "-inf" : "inf");
    if (x == 0)
        return (size_t)sprintf(buf, "0");
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    size_t sign = bits >> 63;
    if (sign)
        *buf++ = '-';
    uint64_t fraction = bits & ((UINT64_C(1) << 52) - 1);
    int exponent = (int)(bits >> 52 & 0x7FF);
    uint64_t c = exponent ? fraction | UINT64_C(1) << 52 : fraction;
    int q = (exponent ? exponent : 1) - 1075;
    if (q <= 0 && q > -53 && !(c & ((UINT64_C(1) << -q) - 1)))
        return sign + write_decimal(buf, (Decimal){c >> -q, 0});
    return sign + write_decimal(buf, shortest(c, q, !fraction && exponent > 1));
}
