/* SPDX-License-Identifier: BSD-2-Clause */
/* odeint.cc - Boost.odeint's euler stepper on std::vector, with the algebra of one thread and with
 * OpenMP's. */
#include "rhs.h"
#include <algorithm>
#include <boost/numeric/odeint.hpp>
#include <boost/numeric/odeint/external/openmp/openmp.hpp>
#include <functional>
#include <omp.h>
#include <vector>

namespace odeint = boost::numeric::odeint;
using state = std::vector<real>;

template <class Algebra> struct odeint_peer {
    task system;
    state y;
    odeint::euler<state, real, state, real, Algebra> stepper;

    static void *create(const task *system) {
        omp_set_num_threads(system->threads);
        omp_set_schedule(omp_sched_static, 0); // the algebra asks for schedule(runtime)
        return new odeint_peer{*system, state(system->n), {}};
    }
    static void set(void *self, const real *y) {
        state &to = static_cast<odeint_peer *>(self)->y;
        std::copy(y, y + to.size(), to.begin());
    }
    static void advance(void *self, double h, int64_t steps) {
        odeint_peer &p = *static_cast<odeint_peer *>(self);
        const auto f = [&p](const state &y, state &dot, real) {
            right_hand_side(&p.system, y.data(), dot.data());
        };
        odeint::integrate_n_steps(std::ref(p.stepper), f, p.y, real(0), real(h), steps);
    }
    static void get(void *self, real *y) {
        const state &from = static_cast<odeint_peer *>(self)->y;
        std::copy(from.begin(), from.end(), y);
    }
    static void destroy(void *self) { delete static_cast<odeint_peer *>(self); }
};

template <class Algebra> constexpr peer row(const char *name, int least_threads, int most_threads) {
    using p = odeint_peer<Algebra>;
    return {name, least_threads, most_threads, p::create, p::set, p::advance, p::get, p::destroy};
}

int main(int argc, char **argv) {
    const peer peers[] = {row<odeint::range_algebra>("Boost.odeint", 1, 1),
        row<odeint::openmp_range_algebra>("Boost.odeint (OpenMP)", 2, 0)};
    return peer_main(argc, argv, peers, 2, nullptr);
}
