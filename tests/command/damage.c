/* SPDX-License-Identifier: BSD-2-Clause */
/* damage.c - a file with faults: damage SEED FILE NEW. A seed and a file always give the same
 * faults. If the seed is odd and the file begins as HDF5 does, they are single bits, so that most
 * of the file can still be read. tests/command/fuzz_files.sh uses it.
 *
 * A file that ends as a wisdom file does mostly gets a new checksum, so that the checks after the
 * checksum are reached. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 1 << 20 };

static char bytes[MOST], old[MOST];
static size_t size;
static uint64_t state;

/* 0 .. count - 1 (splitmix64) */
static size_t below(size_t count) {
    uint64_t z = state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return (size_t)((z ^ z >> 31) % count);
}

/* Headers are at the beginning. */
static size_t choose_place(void) {
    if (size == 0) return 0;
    return below(2) == 0 ? below(size) : below(size < 256 ? size : 256);
}

static void put_number(size_t at) {
    static const int64_t numbers[] = {
        0, 1, -1, 2, 8, 255, INT16_MAX, INT32_MAX, INT32_MIN, INT64_MAX, INT64_MIN};
    static const size_t widths[] = {1, 2, 4, 8};
    const size_t width = widths[below(4)], some = below(3),
                 count = sizeof numbers / sizeof numbers[0];
    int64_t value = numbers[below(count)];
    if (some == 0) value = (int64_t)below(size + 16);
    for (size_t i = 0; i < width && at + i < size; i++)
        bytes[at + i] = (char)((uint64_t)value >> 8 * i);
}

/* Take `removed` bytes away, and put `count` in their place. */
static void replace(size_t at, size_t removed, const char *from, size_t count) {
    if (removed > size - at) removed = size - at;
    if (size - removed + count > MOST) return;
    memmove(bytes + at + count, bytes + at + removed, size - at - removed);
    if (count > 0) memcpy(bytes + at, from, count);
    size += count - removed;
}

static void put_text(size_t at) {
    static const char *const texts[] = {"9", "-1", "1e999", "nan", "\n", "'", "%", "%00", " ", "(",
        "18446744073709551616", "\xff\xfe", "\033[2J", "True", "..", "x=y"};
    const char *const text = texts[below(sizeof texts / sizeof texts[0])];
    replace(at, below(4), text, strlen(text));
}

static void flip(size_t at) { bytes[at] = (char)(bytes[at] ^ 1 << below(8)); }

static void edit(void) {
    const size_t at = choose_place();
    switch (below(9)) {
    case 0:
    case 1:
        if (size > 0) flip(at);
        break;
    case 2:
    case 3:
        put_number(at);
        break;
    case 4:
        put_text(at);
        break;
    case 5:
        size = at;
        break;
    case 6:
        replace(at, 1 + below(64), NULL, 0);
        break;
    case 7:
        memcpy(old, bytes, size);
        replace(at, 0, old + at, below(size - at + 1));
        break;
    default:
        for (size_t i = at; i < size && i < at + 1 + at % 32; i++) bytes[i] = (char)below(256);
    }
}

static void sum_up(void) {
    uint64_t sum = UINT64_C(0xcbf29ce484222325), entries = 0;
    char end[64];
    size_t at = size;
    while (at > 4 && (memcmp(bytes + at - 4, "end ", 4) != 0 || (at > 5 && bytes[at - 5] != '\n')))
        at--;
    if (at <= 4) return;
    at -= 4;
    for (size_t i = 0; i < at; i++) {
        sum = (sum ^ (unsigned char)bytes[i]) * UINT64_C(0x100000001b3);
        entries += bytes[i] == '\n';
    }
    const int length = snprintf(
        end, sizeof end, "end %" PRIu64 " %016" PRIx64 "\n", entries > 0 ? entries - 1 : 0, sum);
    replace(at, size - at, end, (size_t)length);
}

int main(int argc, char **argv) {
    if (argc != 4) return 2;
    FILE *file = fopen(argv[2], "rb");
    if (file == NULL) return 2;
    size = fread(bytes, 1, MOST / 2, file);
    fclose(file);
    state = strtoull(argv[1], NULL, 10);
    const int is_wisdom = size > 8 && memcmp(bytes, "eulercl ", 8) == 0;
    const int has_bits = size > 4 && memcmp(bytes, "\x89HDF", 4) == 0 && state % 2 == 1;
    for (size_t edits = 1 + below(4); edits > 0; edits--)
        if (has_bits)
            flip(below(size));
        else
            edit();
    if (is_wisdom && below(4) > 0) sum_up();
    file = fopen(argv[3], "wb");
    if (file == NULL || fwrite(bytes, 1, size, file) != size) return 2;
    return fclose(file) == 0 ? 0 : 2;
}
