// SPDX-License-Identifier: BSD-2-Clause
// minimal.cpp - minimal.c in C++17, with a solver that keeps the state, and with unique pointers.
//
//     c++ -std=c++17 minimal.cpp $(pkg-config --cflags --libs eulercl)
#include <eulercl/eulercl.h>
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

struct failure : std::runtime_error {
    int status;
    explicit failure(const eulercl_error &error) : std::runtime_error(std::string(error.message) + "\n" + error.log), status(error.code) {}
};

struct release {
    void operator()(eulercl_problem *problem) const { eulercl_problem_destroy(problem); }
    void operator()(eulercl_solver *solver) const { eulercl_solver_destroy(solver); }
};
using problem_owner = std::unique_ptr<eulercl_problem, release>;
using solver_owner = std::unique_ptr<eulercl_solver, release>;

int main() try {
    auto error = std::make_unique<eulercl_error>();
    const auto check = [&](int status) { if (status) throw failure(*error); };

    eulercl_problem *opened = nullptr;
    check(eulercl_problem_open("string", &opened, error.get()));
    const problem_owner problem(opened);
    check(eulercl_problem_set_size(problem.get(), 20000, error.get()));

    eulercl_options options;
    eulercl_options_init(&options);
    options.h = 1e-4;
    eulercl_solver *made = nullptr;
    check(eulercl_solver_create(problem.get(), &options, &made, error.get()));
    const solver_owner solver(made);

    check(eulercl_set_initial_state(solver.get(), error.get()));
    check(eulercl_advance(solver.get(), 1000, error.get()));
    std::vector<double> y(20000);
    check(eulercl_get_state(solver.get(), y.data(), error.get()));
    std::printf("the middle after 1000 steps: %.17g\n", y[10000]);
    return 0;
} catch (const failure &why) {
    std::fprintf(stderr, "%s", why.what());
    return why.status;
}
