/* SPDX-License-Identifier: BSD-2-Clause */
/* prove_tiles.cc - the geometry of diamond_geometry.h, overlap_geometry.h and deal_geometry.h for
 * all sizes: prints what is to be shown, in SMT-LIB, for z3. prove_tiles.sh runs both.
 *
 * Their text is compiled here with integers that are terms of logic, so the proof is about the
 * text that the kernels run.
 *
 * Products of two unknowns are more than z3 can be relied on for, and are avoided:
 * - Lengths in components are measured in blocks. diamond_geometry.h compares and adds components
 * with components only, and multiplies them by numbers only; the class below refuses anything
 * else. So nothing changes when all of them are divided by the length of a block: it becomes 1, n
 * and halo become positive reals, and what holds for all reals holds for all n, halo and block.
 * - pass * cut, number * period and part * share stay as unknown functions, with the lemmas that
 * are proved first.
 * - The lanes of a vector are numbers: deal_geometry.h is shown for 2, 4, 8 and 16 of them.
 *
 * Left to test_tiles.c: that begins are multiples of 4, barriers, the order of chapter 8's skewed
 * columns, and how little more than the levels store is written back at once (here: nothing that
 * does harm).
 *
 * Every claim is checked twice: its assumptions alone must be possible (sat), with its negation
 * they must not (unsat). */
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

/* ---- terms ---- */

enum Unit {
    NUMBER,
    BLOCKS,
    COMPONENTS,
    VECTORS
}; /* a number goes with blocks and with vectors of 4 components; levels count as blocks */

[[noreturn]] static void refuse(const std::string &what) {
    std::fprintf(stderr, "prove_tiles: diamond_geometry.h %s\n", what.c_str());
    std::exit(1);
}

/* The facts that z3 knows, by scopes. */
static std::vector<std::map<std::string, std::string>> scopes(1);
static void open() {
    std::puts("(push)");
    scopes.push_back(scopes.back());
}
static void close() {
    std::puts("(pop)");
    scopes.pop_back();
}
static std::string new_name(char kind) {
    static int count;
    return kind + std::to_string(count++);
}

/* A name for a term, so that terms do not grow; the same for the same term. */
static std::string define(const char *sort, const std::string &body) {
    std::string &name = scopes.back()[body];
    if (name.empty()) {
        name = new_name('t');
        std::printf("(define-fun %s () %s %s)\n", name.c_str(), sort, body.c_str());
    }
    return name;
}
static std::string apply(const char *f, const std::string &a, const std::string &b) {
    return std::string("(") + f + " " + a + " " + b + ")";
}

struct Truth {
    std::string text;
};
static Truth truth(const std::string &body) { return {define("Bool", body)}; }
static Truth operator!(const Truth &a) { return truth("(not " + a.text + ")"); }
static Truth operator&&(const Truth &a, const Truth &b) {
    return truth(apply("and", a.text, b.text));
}
static Truth operator||(const Truth &a, const Truth &b) {
    return truth(apply("or", a.text, b.text));
}
static Truth implies(const Truth &a, const Truth &b) { return truth(apply("=>", a.text, b.text)); }
static void assume(const Truth &a) { std::printf("(assert %s)\n", a.text.c_str()); }

struct Term {
    std::string text;
    Unit unit = NUMBER;
    bool is_literal = false;
    long value = 0;
    Term() = default;
    Term(int number) : text(literal(number)), is_literal(true), value(number) {}
    Term(const std::string &name, Unit of) : text(name), unit(of) {}
    static std::string literal(long number) {
        return number < 0 ? "(- " + std::to_string(-number) + ")" : std::to_string(number);
    }
    /* Convert to that unit: 0 is 0 in every unit, any other number is a count. */
    std::string as(Unit of) const {
        if (unit != of && unit != NUMBER) refuse("mixes units");
        if (of != COMPONENTS || unit == COMPONENTS) return text;
        if (!is_literal || value) refuse("mixes components and numbers");
        return "0.0";
    }
};
static const char *sort(Unit unit) { return unit == COMPONENTS ? "Real" : "Int"; }
static Unit common(const Term &a, const Term &b) { return a.unit == NUMBER ? b.unit : a.unit; }
static Term term(Unit unit, const std::string &body) {
    return Term(define(sort(unit), body), unit);
}
static Term operation(const char *f, const Term &a, const Term &b) {
    const Unit unit = common(a, b);
    return term(unit, apply(f, a.as(unit), b.as(unit)));
}
static Truth comparison(const char *f, const Term &a, const Term &b) {
    const Unit unit = common(a, b);
    return truth(apply(f, a.as(unit), b.as(unit)));
}
static Truth operator<(const Term &a, const Term &b) { return comparison("<", a, b); }
static Truth operator>(const Term &a, const Term &b) { return comparison(">", a, b); }
static Truth operator<=(const Term &a, const Term &b) { return comparison("<=", a, b); }
static Truth operator>=(const Term &a, const Term &b) { return comparison(">=", a, b); }
static Truth operator==(const Term &a, const Term &b) { return comparison("=", a, b); }
static Term operator+(const Term &a, const Term &b) { return operation("+", a, b); }
static Term operator-(const Term &a, const Term &b) {
    return a.is_literal && b.is_literal ? Term(static_cast<int>(a.value - b.value))
                                        : operation("-", a, b);
}
static Term operator-(const Term &a) {
    return a.is_literal ? Term(static_cast<int>(-a.value)) : term(a.unit, "(- " + a.text + ")");
}
static Term ite(const Truth &condition, const Term &yes, const Term &no) {
    const Unit unit = common(yes, no);
    return term(unit, "(ite " + condition.text + " " + yes.as(unit) + " " + no.as(unit) + ")");
}

static const Term block("1.0", COMPONENTS);
static Term operator*(const Term &a, const Term &b) {
    if (b.is_literal) {
        if (a.unit == VECTORS && b.value == 4)
            return term(COMPONENTS, "(of_vectors " + a.text + ")");
        return term(a.unit, apply("*", a.text, a.unit == COMPONENTS ? b.text + ".0" : b.text));
    }
    if (a.is_literal) return b * a;
    if (a.unit == COMPONENTS) return b * a;
    if (b.unit == COMPONENTS) {
        if (a.unit == VECTORS || b.text != block.text)
            refuse("multiplies components by something else than a number");
        return term(COMPONENTS, "(to_real " + a.text + ")");
    }
    return term(BLOCKS, apply("product", a.as(BLOCKS), b.as(BLOCKS)));
}

/* The quotient is a new unknown: known only for b > 0, and for negative a only if b is no number,
 * which is all that is needed. */
static Term operator/(const Term &a, const Term &b) {
    if (a.unit == COMPONENTS && b.is_literal && b.value != 4)
        refuse("divides components by other numbers than 4");
    const Unit unit = a.unit == COMPONENTS && b.is_literal ? VECTORS : BLOCKS;
    std::string &name = scopes.back()[a.text + " / " + b.text];
    if (!name.empty()) return Term(name, unit);
    name = new_name('q');
    const Term q(name, unit);
    std::printf("(declare-const %s Int)\n", name.c_str());
    const Term multiple = q * b, length = unit == VECTORS ? Term("vector", COMPONENTS) : b;
    assume(implies(a >= 0 && length > 0, multiple <= a && a < multiple + length));
    if (unit == VECTORS) assume((q + 1) * b == multiple + length);
    if (!b.is_literal) assume(implies(a < 0 && length > 0, multiple >= a && a > multiple - length));
    return q;
}
static Term operator%(const Term &a, const Term &b) { return a - a / b * b; }

#define TILE_INT Term
#define TILE_BOOL Truth
#define TILE_IF(condition, yes, no) ite(condition, yes, no)
#include "diamond_geometry.h"
#include "overlap_geometry.h"
#include "deal_geometry.h"

/* ---- claims ---- */

static Term unknown(const char *name, Unit unit = BLOCKS) {
    std::printf("(declare-const %s %s)\n", name, sort(unit));
    return Term(name, unit);
}
static void claim(const std::string &what, const Truth &a) {
    std::printf("(echo \"%s\")\n(check-sat)\n(push)\n(assert (not %s))\n(check-sat)\n(pop)\n",
        what.c_str(), a.text.c_str());
}

/* Lemmas about a * d and b * d. */
static void lemmas() {
    open();
    std::puts(
        "(declare-const a Int) (declare-const b Int) (declare-const d Int) (declare-const e Int)");
    claim("lemma: order, b as a + 1 + e",
        {"(=> (and (> d 0) (>= e 0)) (<= (+ (* a d) d) (* (+ a 1 e) d)))"});
    claim("lemma: next", {"(=> (= b (+ a 1)) (= (* b d) (+ (* a d) d)))"});
    claim("lemma: none", {"(=> (= a 0) (= (* a d) 0))"});
    claim("lemma: times none", {"(=> (= d 0) (= (* a d) 0))"});
    claim("lemma: either order", {"(= (* a d) (* d a))"});
    claim("lemma: one", {"(=> (= d 1) (= (* a d) a))"});
    close();
}
static void know(const Term &a, const Term &b, const Term &d) {
    assume(implies(d > 0 && a < b, a * d + d <= b * d) && implies(b == a + 1, b * d == a * d + d));
}
static void know(std::vector<Term> factors, const Term &d) {
    factors.push_back(0);
    for (const Term &a : factors) {
        assume(implies(d == 1, a * d == a));
        for (const Term &b : factors)
            if (a.text != b.text) know(a, b, d);
    }
}

static tile_shape s;
static Truth in(const tile_range &range, const Term &i) {
    return range.begin <= i && i < range.end;
}
static Truth in(const tile_ranges &ranges, const Term &i) {
    return in(ranges.left, i) || in(ranges.right, i);
}
static Truth empty(const tile_range &range) { return range.end <= range.begin; }
/* The components that a level reads, without tile_input. */
static Truth reads(const tile_range &range, const Term &i) {
    return range.begin < range.end && i >= 0 && i < s.n && i >= range.begin - s.halo &&
           i < range.end + s.halo;
}
static tile_range range_of(const Term &start, const Term &offset) {
    return tile_level(s, start, offset);
}

static Truth is_offset(const Term &offset) {
    return offset >= -s.cut && offset < tile_max(s.cut, 1);
}
/* The property of a pass's starts that other proofs use; starts() proves it. */
static Truth is_start(const Term &start) {
    return start < tile_total(s) && (start >= 0 || (s.cut > 0 && start == -tile_shift(s)));
}
static Truth are_tiles_of_one_pass(const Term &a, const Term &b) {
    return a + tile_period(s) <= b || b + tile_period(s) <= a;
}
static Truth are_tiles_of_neighbouring_passes(const Term &a, const Term &b) {
    return a + tile_shift(s) <= b || b + tile_shift(s) <= a;
}

static Term start_of(const Term &pass, const Term &number) {
    return tile_first(s, pass) + number * tile_period(s);
}

static void starts() {
    open();
    const Term pass = unknown("pass"), number = unknown("number");
    const Term start = start_of(pass, number), count = tile_count(s, pass), period = tile_period(s);
    assume(pass >= 0);
    const Term whole = (tile_total(s) - tile_first(s, pass)) / period;
    know({number, whole, count, -1}, period);
    open();
    assume(number >= 0 && number < count);
    claim("starts: what is used of them", is_start(start));
    close();
    claim("starts: a pass has tiles", count > 0);
    open();
    const Term other = unknown("other");
    know({number, other}, period);
    assume(number < other);
    claim("starts: tiles of one pass are a period apart",
        are_tiles_of_one_pass(start, start_of(pass, other)));
    close();
    /* Beyond the first and the last tile there is nothing to do. */
    open();
    const Term offset = unknown("offset");
    assume(is_offset(offset) && (number < 0 || number >= count));
    claim("starts: no other tile computes anything in the system", empty(range_of(start, offset)));
    close();
    /* The starts of the next pass are halfway between. */
    open();
    const Term before = number - 1, after = number + 1, next = start_of(pass + 1, number),
               shift = tile_shift(s), is_odd = pass % 2;
    know({before, number, after}, period);
    assume(s.cut > 0);
    claim("starts: a shift to the right of the next pass",
        next + shift == start_of(pass, ite(is_odd > 0, after, number)));
    claim("starts: a shift to the left of the next pass",
        next - shift == start_of(pass, ite(is_odd > 0, number, before)));
    close();
    close();
}

static void levels() {
    const Term step = tile_max(s.cut, 1);
    open();
    const Term steps = unknown("steps"), level = unknown("level"), start = unknown("start"),
               other = unknown("other");
    const Term pass = level / step, next = pass + 1, last = tile_last_pass(s, steps),
               offset = level - tile_middle(s, pass);
    assume(level >= 1 && level <= steps);
    know({pass, next, other, last, steps / step}, step);
    claim("levels: of a pass, middle and below",
        offset >= 0 && offset < step && pass >= tile_first_pass(s) && pass <= last);
    claim("levels: of the next pass, above the middle",
        tile_middle(s, next) == tile_middle(s, pass) + step);
    claim("levels: the pass computes them",
        level >= tile_pass_first(s, pass) && level <= tile_pass_last(s, pass, steps));
    claim("levels: the next pass computes them, or has nothing to do",
        s.cut < 1 || empty(range_of(start, offset - s.cut)) ||
            (next <= last && level >= tile_pass_first(s, next) &&
                level <= tile_pass_last(s, next, steps)));
    const Truth computes =
        level >= tile_pass_first(s, other) && level <= tile_pass_last(s, other, steps);
    claim(
        "levels: no other pass", implies(computes, other == pass || (s.cut > 0 && other == next)));
    claim("levels: the offset within a pass",
        implies(computes, is_offset(level - tile_middle(s, other))));
    close();
    open();
    const Term none = unknown("none"), any = unknown("any");
    know({any, tile_last_pass(s, none), none / step}, step);
    assume(any >= tile_first_pass(s) && any <= tile_last_pass(s, none) && none >= 0);
    claim("levels: none beyond the last, none before the first",
        tile_pass_first(s, any) >= 1 && tile_pass_last(s, any, none) <= none);
    close();
}

/* The levels of a tile, as the kernels come to them. */
static void rows_of_a_tile() {
    open();
    const Term pass = unknown("pass"), steps = unknown("steps"), start = unknown("start"),
               level = unknown("level");
    const Term offset = level - tile_middle(s, pass);
    const tile_range ends = tile_ends(s, start, offset), in_system = range_of(start, offset);
    assume(is_start(start));
    open();
    const Term first = tile_first_level(s, pass, start),
               last = tile_last_level(s, pass, steps, start);
    const Truth is_between = level >= first && level <= last;
    assume(level >= tile_pass_first(s, pass) && level <= tile_pass_last(s, pass, steps));
    claim("ranges: from the first to the last, none is empty",
        implies(is_between, !empty(in_system)));
    claim("ranges: before the first and after the last all are empty",
        implies(!is_between, empty(in_system)));
    close();
    const tile_range below = tile_ends(s, start, offset + 1),
                     from_above = tile_ends_below(s, ends, offset);
    claim("ranges: the ends follow from those above",
        from_above.begin == below.begin && from_above.end == below.end);
    claim("storage: columns, the origin a block on",
        tile_column_origin(s, start, offset + 1) == tile_column_origin(s, start, offset) + s.block);
    assume(tile_is_inner(s, start) && is_offset(offset));
    claim("ranges: of inner tiles are not cut off",
        ends.begin == in_system.begin && ends.end == in_system.end);
    claim("ranges: of inner tiles read nothing outside",
        ends.begin - s.halo >= 0 && ends.end + s.halo <= s.n);
    close();
}

/* Together with starts() this proves that every component of every level is computed by one
 * tile. */
static void ranges() {
    open();
    const Term start = unknown("start"), offset = unknown("offset");
    const tile_range middle = range_of(start, offset);
    assume(is_offset(offset));
    claim("ranges: lie in the system",
        middle.begin >= 0 && middle.begin <= middle.end && middle.end <= s.n);
    open();
    assume(s.cut > 0 && offset >= 0);
    claim("ranges: meet those of the next pass on the right",
        middle.end == range_of(start + tile_shift(s), offset - s.cut).begin);
    claim("ranges: meet those of the next pass on the left",
        middle.begin == range_of(start - tile_shift(s), offset - s.cut).end);
    close();
    open();
    assume(s.cut == 0);
    claim("ranges: meet in the linear scheme",
        middle.end == range_of(start + tile_period(s), offset).begin);
    close();
    close();
}

static void loads_and_stores() {
    open();
    const Term start = unknown("start"), offset = unknown("offset"), i = unknown("i", COMPONENTS);
    std::puts("(declare-const is_first Bool) (declare-const is_last Bool)");
    const Truth is_first = {"is_first"}, is_last = {"is_last"};
    const tile_range now = range_of(start, offset), above = range_of(start, offset - 1),
                     nothing = tile_nothing(s);
    const tile_range before = tile_between(
        ite(is_first, nothing.begin, above.begin), ite(is_first, nothing.end, above.end));
    const tile_ranges load = tile_load(s, now, before),
                      store = tile_store(s, start, offset, is_last, now);
    assume(is_start(start) && is_offset(offset) && (is_first || offset > -s.cut));
    claim("loads: with the level before, all that is read",
        implies(reads(now, i), in(before, i) || in(load, i)));
    claim("loads: nothing else", implies(in(load, i), reads(now, i) && !in(before, i)));
    claim("loads: left is left of right",
        empty(load.left) || empty(load.right) || load.left.end <= load.right.begin);
    claim("stores: of the level, from its begin to its end",
        implies(in(store, i), in(now, i)) && store.left.begin == now.begin &&
            store.right.end == now.end && store.left.end <= store.right.begin);
    claim("stores: the last level", implies(is_last && in(now, i), in(store, i)));
    claim("stores: in the linear scheme all", implies(s.cut == 0 && in(now, i), in(store, i)));
    open();
    assume(s.cut > 0 && !is_first);
    const Truth no = {"false"};
    const Term left = start - tile_shift(s), right = start + tile_shift(s), at = offset - 1 + s.cut;
    claim("loads: stored by the tiles beside it",
        implies(offset <= 0 && in(load, i),
            in(tile_store(s, left, at, no, range_of(left, at)), i) ||
                in(tile_store(s, right, at, no, range_of(right, at)), i)));
    claim("loads: none below the middle", implies(offset > 0, !in(load, i)));
    close();
    /* The first level of a pass reads the last one of the pass before the last, unless it reads the
     * level 0. */
    open();
    assume(s.cut > 0 && is_first && offset == -s.cut);
    const tile_range end = range_of(start, s.cut - 1);
    claim("loads: the first level, stored by the tile above",
        implies(in(load, i), in(tile_store(s, start, s.cut - 1, is_last, end), i)));
    close();
    close();
}

/* All of a level is taken as read from and written to global memory, which includes what is loaded
   and stored. Then, for every component, levels are written in their order, and each is read before
   the level after the next is written to its place. */
static void order() {
    open();
    const Term start = unknown("start"), offset = unknown("offset"), other = unknown("other"),
               i = unknown("i", COMPONENTS);
    assume(is_offset(offset) && reads(range_of(start, offset), i));
    open();
    assume(are_tiles_of_one_pass(start, other));
    claim("order: no tile beside it is ahead",
        implies(is_offset(offset + 1), !in(range_of(other, offset + 1), i)));
    claim("order: nothing is awaited from a tile beside it",
        implies(is_offset(offset - 1), !in(range_of(other, offset - 1), i)));
    const Term at = unknown("at"), half = unknown("half_distance");
    assume(is_offset(at));
    claim("order: no tile beside it writes where it reads",
        implies(at - (offset - 1) == 2 * half, !in(range_of(other, at), i)));
    claim("order: no tile beside it writes what it writes",
        implies(in(range_of(start, offset), i), !in(range_of(other, at), i)));
    close();
    open();
    assume(s.cut > 0 && are_tiles_of_neighbouring_passes(start, other));
    const Term ahead = offset + 1 + s.cut, behind = offset - 1 - s.cut;
    claim("order: the pass before is not ahead",
        implies(is_offset(ahead), !in(range_of(other, ahead), i)));
    claim("order: nothing is awaited from the next pass",
        implies(is_offset(behind), !in(range_of(other, behind), i)));
    claim("order: the pass before the last is not ahead", !is_offset(ahead + s.cut));
    claim("order: nothing is awaited from the pass after the next", !is_offset(behind - s.cut));
    close();
    close();
}

static void storage() {
    open();
    const Term start = unknown("start"), offset = unknown("offset"), i = unknown("i", COMPONENTS),
               j = unknown("j", COMPONENTS);
    assume(is_start(start) && is_offset(offset));
    const tile_range now = range_of(start, offset);
    const Term origin = tile_column_origin(s, start, offset),
               before = tile_column_origin(s, start, offset - 1);
    open();
    assume(reads(now, i));
    const tile_range rows = tile_between(0, tile_row_capacity(s)),
                     columns = tile_between(0, tile_column_capacity(s));
    claim("storage: rows", in(rows, i - tile_row_origin(s, start)));
    claim("storage: columns, computed", implies(in(now, i), in(columns, i - origin)));
    claim("storage: columns, read, the begin", i - before >= 0);
    const Truth later = implies(start < 0, offset >= 1 - s.cut);
    claim("storage: half tiles begin a level later", later);
    assume(later);
    claim("storage: columns, read, the end", i - before < columns.end);
    close();
    const Term end = unknown("end", COMPONENTS);
    assume(i < end && j >= end - s.halo);
    claim("storage: columns, what is computed overwrites nothing that is still read",
        i - origin < j - before);
    close();
}

/* Row storage. A buffer has every second level, so a level is named by the number of such levels
   between it and the uppermost or lowest one: k or e here. Components are found by the block x that
   they lie in. */
struct bulk {
    int which;
    Term pass = unknown("pass"), steps = unknown("steps"), start = unknown("start"),
         i = unknown("i", COMPONENTS), k = unknown("k"), e = unknown("e"), x = unknown("x");
    Term middle = tile_middle(s, pass), first = tile_first_level(s, pass, start),
         last = tile_last_level(s, pass, steps, start);
    Truth is_in_block = x * s.block <= i && i < (x + 1) * s.block;

    explicit bulk(int which_) : which(which_) {}
    tile_range range_at(const Term &level) const { return range_of(start, level - middle); }
    tile_ranges load_at(const Term &level) const {
        const tile_range nothing = tile_nothing(s), next = range_at(level - 1);
        const tile_range before = tile_between(ite(level == first, nothing.begin, next.begin),
            ite(level == first, nothing.end, next.end));
        return tile_load(s, range_at(level), before);
    }
    tile_ranges store_at(const Term &level) const {
        return tile_store(s, start, level - middle, level == steps, range_at(level));
    }
    std::string name(const char *what) const {
        return "at once, which = " + std::to_string(which) + ": " + what;
    }
    void fetch() const;
    void write_back() const;
};

/* Fetched before the first level: what the levels k load, and untouched until then; if block =
 * halo, as in the kernels, nothing else. */
void bulk::fetch() const {
    open();
    const Term top = first + which, loading = top + 2 * k, lower = top + 2 * e,
               above = loading - 3 - 2 * e;
    const tile_ranges fetched = tile_fetch_all(s, start, middle, first, last, which);
    open();
    assume(loading <= last && in(load_at(loading), i));
    claim(name("what is loaded is fetched"), in(fetched, i));
    claim(name("no level above overwrites what is loaded"),
        implies(above >= first, !in(range_at(above), i)));
    claim(name("no level above reads what is loaded"),
        implies(lower < loading, !reads(range_at(lower), i)));
    close();
    const Term left = tile_left_block(start, top - middle),
               right = tile_right_block(s, start, top - middle), beyond = which ? 0 : 2;
    assume(s.halo == block && is_in_block);
    open();
    assume(x <= left - beyond && left - x >= 2 * k && left - x <= 2 * k + 1);
    claim(name("what is fetched is loaded, on the left"),
        implies(in(fetched, i), loading <= last && in(load_at(loading), i)));
    close();
    open();
    assume(x >= right - 1 + beyond && x - right >= 2 * k - 1 && x - right <= 2 * k);
    claim(name("what is fetched is loaded, on the right"),
        implies(in(fetched, i), loading <= last && in(load_at(loading), i)));
    close();
    open();
    assume(x > left - beyond && x < right - 1 + beyond);
    claim(name("what is fetched is loaded, in between"),
        implies(in(fetched, i), top <= last && in(load_at(top), i)));
    close();
    claim(name("fetched left is left of right"),
        fetched.left.end <= fetched.right.begin || empty(fetched.left) || empty(fetched.right));
    close();
}

/* After the last level the components that the levels k store are written back, untouched since
   then. Other components have the value of the last level that computed them; order() takes every
   level as written completely. */
void bulk::write_back() const {
    open();
    const Term bottom = last - which, storing = bottom - 2 * k, later = bottom - 2 * e;
    const tile_ranges written = tile_write_back_all(s, start, middle, first, last, which);
    open();
    assume(storing >= first && in(store_at(storing), i));
    claim(name("what is stored is written back"), in(written, i));
    claim(
        name("no level below overwrites what is stored"), implies(e < k, !in(range_at(later), i)));
    close();
    const Term left_end = tile_left_block(start, bottom - middle),
               right_end = tile_right_block(s, start, bottom - middle);
    assume(is_in_block);
    const Truth is_left_there =
        storing >= first && in(range_at(storing), i) && implies(e < k, !in(range_at(later), i));
    open();
    assume(x < left_end && left_end - x >= 2 * k - 1 && left_end - x <= 2 * k);
    claim(name("what is written back is the last computed, on the left"),
        implies(in(written, i), is_left_there));
    close();
    open();
    assume(x >= right_end && x + 1 - right_end >= 2 * k - 1 && x + 1 - right_end <= 2 * k);
    claim(name("what is written back is the last computed, on the right"),
        implies(in(written, i), is_left_there));
    close();
    open();
    assume(x >= left_end && x < right_end);
    claim(name("what is written back is the last computed, in between"),
        implies(in(written, i), bottom >= first && in(range_at(bottom), i)));
    close();
    claim(name("written back left is left of right"),
        written.left.end <= written.right.begin || empty(written.left) || empty(written.right));
    close();
}

static void bulk_copies(int which) {
    open();
    const bulk b(which);
    assume(is_start(b.start) && b.first <= b.last && b.k >= 0 && b.e >= 0);
    b.fetch();
    b.write_back();
    close();
}

/* ---- overlap_geometry.h: lengths are points, as they are ---- */

static void overlaps() {
    open();
    overlap_line o;
    o.n = unknown("o_n");
    o.tile = unknown("o_tile");
    o.halo = unknown("o_halo");
    o.periodic = unknown("o_periodic");
    const Truth is_ring = o.periodic == 1, is_line = o.periodic == 0;
    assume(o.n >= 1 && o.tile >= 1 && o.halo >= 0 && (is_ring || (is_line && o.tile <= o.n)));
    assume(o.tile > 2 * o.halo || (is_line && o.tile == o.n));
    const Term k = unknown("k"), p = unknown("p"), next = k + 1, stride = overlap_stride(o),
               count = overlap_count(o), last = count - 1;
    const Term start = overlap_start(o, k), end = start + o.tile, first = overlap_kept(o, k),
               behind = overlap_kept(o, next);
    know({k, next, last, count, (ite(o.periodic > 0, o.n, o.n - 2 * o.halo) + stride - 1) / stride,
             -1},
        stride);
    claim("overlap: there are tiles", count >= 1);
    claim("overlap: a line's ends are ends of tiles",
        implies(is_line, overlap_start(o, 0) == 0 && overlap_start(o, last) + o.tile == o.n));
    claim("overlap: the first keeps from the first point on, the last up to the last",
        overlap_kept(o, 0) == 0 && overlap_kept(o, count) == o.n);
    assume(k >= 0 && k < count);
    claim("overlap: tiles lie inside a line", implies(is_line, start >= 0 && end <= o.n));
    claim("overlap: every tile keeps some points", first < behind);
    open();
    const Term other = unknown("other");
    know({next, other}, stride);
    assume(other > k && other < count);
    claim("overlap: no point is kept by two", behind <= overlap_kept(o, other));
    close();
    const Truth is_begin = is_line && start == 0, is_end = is_line && end == o.n;
    open();
    assume(p >= first && p < behind);
    claim("overlap: a point that is kept is in the grid", p >= 0 && p < o.n);
    claim("overlap: a point that is kept is in the tile", p >= start && p < end);
    claim("overlap: a point that is kept is a halo from spoiled ends",
        (is_begin || p >= start + o.halo) && (is_end || p < end - o.halo));
    close();
    /* Induction over the steps: components that are this far from the spoiled ends are right, and a
     * step spoils a radius more. */
    open();
    const Term far = unknown("far"), radius = unknown("radius"), read = unknown("read");
    const auto is_right = [&](const Term &i, const Term &distance) {
        return i >= start && i < end && (is_begin || i >= start + distance) &&
               (is_end || i < end - distance);
    };
    assume(far >= 0 && radius >= 1 && is_right(p, far + radius) && read >= p - radius &&
           read <= p + radius);
    claim("overlap: a step reads what is right, or the boundary's",
        is_right(read, far) || (is_line && (read < 0 || read >= o.n)));
    close();
    open();
    const Term i = unknown("i"), wrapped = overlap_wrap(o, i), laps = i / o.n;
    claim("overlap: what stands for a point is in the grid", wrapped >= 0 && wrapped < o.n);
    claim("overlap: what stands for a point is whole laps away",
        wrapped == i - laps * o.n || wrapped == i - laps * o.n + o.n);
    close();
    close();
}

/* Strips laid end to end: numbers of rows. */
static void strips() {
    open();
    overlap_strips o;
    o.rows = unknown("o_rows");
    o.gap = unknown("o_gap");
    const Term count = unknown("count"), at = unknown("at"), end = unknown("end"), y = unknown("y");
    const Term whole = o.rows + o.gap, strip = overlap_strip(o, at),
               length = overlap_length(o, count), next = overlap_piece_end(o, at, end);
    assume(o.rows >= 1 && o.gap >= 0 && count >= 1 && at >= 0 && at < end && end <= length);
    know({strip, strip + 1, overlap_strip(o, next), count, count - 1, -1}, whole);
    claim("strips: a piece is of a strip", strip >= 0 && strip < count);
    claim(
        "strips: a piece ends behind its begin, and not behind its part", next > at && next <= end);
    const Term first = overlap_row(o, strip, at), behind = overlap_row(o, strip, next);
    claim("strips: a piece ends with its strip at the latest", next <= (strip + 1) * whole);
    claim("strips: the rows of a piece are the strip's",
        first >= 0 && first <= behind && behind <= o.rows);
    claim("strips: a piece ends with its part or with its strip", next == end || behind == o.rows);
    claim("strips: pieces follow one another in a strip",
        implies(next < end, overlap_strip(o, next) == strip + 1 &&
                                overlap_row(o, overlap_strip(o, next), next) == 0));
    open();
    assume(y >= 0 && y < o.rows);
    const Term place = strip * whole + y;
    claim("strips: a piece has the rows whose places it has",
        implies(place >= at && place < next, y >= first && y < behind) &&
            implies(y >= first && y < behind, place >= at && place < next));
    close();
    close();
}

/* ---- deal_geometry.h: lengths are points or components, as they are ---- */

static void lanes_of_a_row(int lanes) {
    open();
    const Term n = unknown("row"), points = deal_points(n, lanes);
    const auto name = [&](const char *what) {
        return "deal, " + std::to_string(lanes) + " lanes: " + what;
    };
    assume(n >= lanes);
    claim(name("every lane has points"), points >= 1);
    claim(name("the first begins and the last ends with the row"),
        deal_first(n, lanes, 0) == 0 && deal_first(n, lanes, lanes - 1) + points == n);
    for (int lane = 0; lane < lanes; lane++) {
        const Term first = deal_first(n, lanes, lane);
        claim(name("inside the row"), first >= 0 && first + points <= n);
        if (lane == lanes - 1) break;
        const Term apart = deal_first(n, lanes, lane + 1) - first;
        claim(name("two neighbours have one point in common or none, and leave out none"),
            apart == points || apart == points - 1);
    }
    close();
}

static void parts() {
    open();
    const Term n = unknown("whole"), parts = unknown("parts"), part = unknown("part"),
               halo = unknown("p_halo"), periodic = unknown("p_periodic");
    assume(n >= 0 && parts >= 1);
    const Term share = n / parts, before = part - 1, next = part + 1, after = part + 2;
    know({before, part, next, after, parts}, share);
    know({share}, parts);
    assume(parts * share == share * parts &&
           implies(share == 0, part * share == 0 && next * share == 0 && parts * share == 0));
    const auto begin = [&](const Term &at) { return deal_part(n, parts, at); };
    claim("deal: the first part begins and the last one ends with the whole",
        deal_part(n, parts, 0) == 0 && begin(parts) == n);
    assume(part >= 0 && part < parts);
    const Term size = begin(next) - begin(part);
    claim("deal: a part has its share or one more", size == share || size == share + 1);
    claim("deal: parts lie inside", begin(part) >= 0 && begin(next) <= n);
    assume(halo >= 0 && halo <= share && (periodic == 0 || periodic == 1));
    claim("deal: a halo no longer than a share is the neighbour's, below",
        implies(part >= 1, deal_reach_down(begin(part), halo, periodic) >= begin(before)));
    claim("deal: a halo no longer than a share is the neighbour's, above",
        implies(after <= parts, deal_reach_up(begin(next), halo, n, periodic) <= begin(after)));
    close();
}

static void reaches() {
    open();
    const Term n = unknown("d_n"), a = unknown("d_a"), b = unknown("d_b"), halo = unknown("d_halo"),
               periodic = unknown("d_periodic"), p = unknown("d_p");
    const Truth is_ring = periodic == 1, is_line = periodic == 0;
    assume(a >= 0 && a < b && b <= n && halo >= 0 && (is_ring || is_line));
    const Term first = deal_reach_down(a, halo, periodic),
               last = deal_reach_up(b, halo, n, periodic);
    claim("deal: on a ring, a halo at either end",
        implies(is_ring, first == a - halo && last == b + halo));
    claim("deal: on a line, inside the grid and no further than a halo",
        implies(is_line, first >= 0 && first <= a && first >= a - halo && last <= n && last >= b &&
                             last <= b + halo));
    const Truth is_begin = is_line && first == 0, is_end = is_line && last == n;
    open();
    assume(p >= a && p < b);
    claim("deal: a point that is kept is a halo from spoiled ends",
        (is_begin || p >= first + halo) && (is_end || p < last - halo));
    close();
    const Term radius = unknown("d_radius"), read = unknown("d_read");
    const Truth is_beyond = is_line && (read < 0 || read >= n);
    assume(radius >= 1 && read >= p - radius && read <= p + radius);
    /* Induction over the steps of a tile that computes all its points at every step: components
     * that are this far from the spoiled ends are right, and a step spoils a radius more. */
    open();
    const Term far = unknown("d_far");
    const auto is_right = [&](const Term &i, const Term &distance) {
        return i >= first && i < last && (is_begin || i >= first + distance) &&
               (is_end || i < last - distance);
    };
    assume(far >= 0 && is_right(p, far + radius));
    claim("deal: a step reads what is right, or the boundary's", is_right(read, far) || is_beyond);
    close();
    /* Induction over the steps of a tile that compute just what later steps need: `halo` more than
     * it keeps at this step, a radius more at the step before. */
    open();
    const Term wider = halo + radius;
    assume(p >= first && p < last);
    claim("deal: a level reads what the one before has, or the boundary's",
        (read >= deal_reach_down(a, wider, periodic) &&
            read < deal_reach_up(b, wider, n, periodic)) ||
            is_beyond);
    claim("deal: the last level is what is kept",
        deal_reach_down(a, 0, periodic) == a && deal_reach_up(b, 0, n, periodic) == b);
    close();
    close();
}

/* Windows of several devices, which have shares of any size: `before`, this one and `after` are
 * neighbours, on a ring perhaps the first and the last one. After `levels` levels since the
 * exchange, rows up to `levels` radii away from the window's cut ends are spoiled. */
static void windows() {
    open();
    const Term n = unknown("w_n"), a = unknown("w_a"), b = unknown("w_b"), halo = unknown("w_halo"),
               periodic = unknown("w_periodic"), before = unknown("w_before"),
               after = unknown("w_after"), p = unknown("w_p"), spoiled = unknown("w_spoiled");
    const Truth is_ring = periodic == 1, is_line = periodic == 0;
    assume(a >= 0 && a < b && b <= n && halo >= 0 && (is_ring || is_line));
    const Term first = deal_reach_down(a, halo, periodic),
               last = deal_reach_up(b, halo, n, periodic);
    open();
    assume(spoiled >= 0 && spoiled <= halo && p >= a && p < b);
    claim("deal: own rows are right while spoiled ones are within the halo",
        ((is_line && first == 0) || p >= first + spoiled) &&
            ((is_line && last == n) || p < last - spoiled));
    close();
    /* Neighbours have `before` and `after` rows, which are 0 beyond the ends of a line. */
    assume(before >= halo && after >= halo && (is_ring || (before <= a || a == 0)) &&
           (is_ring || (b + after <= n || b == n)));
    assume(p >= first && p < last);
    claim("deal: ghosts are rows of the two neighbours", p >= a - before && p < b + after);
    claim("deal: a cut has a whole halo", implies(is_ring || a > 0, first == a - halo) &&
                                              implies(is_ring || b < n, last == b + halo));
    close();
}

int main() {
    std::puts("(declare-fun product (Int Int) Int)\n(declare-fun of_vectors (Int) "
              "Real)\n(declare-const vector Real)");
    overlaps();
    strips();
    reaches();
    parts();
    windows();
    for (const int lanes : {2, 4, 8, 16}) lanes_of_a_row(lanes);
    const Term half = unknown("half");
    s.n = unknown("n", COMPONENTS);
    s.block = block;
    s.halo = unknown("halo", COMPONENTS);
    s.blocks = 2 * half;
    s.cut = unknown("cut");
    assume(s.n > 0 && s.halo > 0 && s.halo <= s.block && half >= 1 && s.cut >= 0 && s.cut <= half);
    assume(Term("vector", COMPONENTS) > 0);
    lemmas();
    starts();
    levels();
    ranges();
    rows_of_a_tile();
    loads_and_stores();
    order();
    storage();
    bulk_copies(0);
    bulk_copies(1);
    return std::fflush(stdout) ? 1 : 0;
}
