// SPDX-License-Identifier: BSD-2-Clause
// observe_cub.cu - CUB's histogram and sum, for observe.c.
#include <cub/cub.cuh>
#include <chrono>
#include <cstdio>
#include <cstdlib>

namespace {
enum { BINS = 256 };

void check(cudaError_t status) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "observe_cub: %s\n", cudaGetErrorString(status));
    std::exit(1);
}

template <typename Call> double best_of(int rounds, Call call) {
    double best = INFINITY;
    for (int round = 0; round < rounds; round++) {
        check(cudaDeviceSynchronize());
        const auto begin = std::chrono::steady_clock::now();
        call();
        best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
    }
    return best;
}
} // namespace

// The times contain the copy of the result into the host's memory, as those of observers do.
extern "C" void cub_measure(const float *values, size_t count, const double *counts, int rounds, double *histogram, double *sum) {
    float *y, *total;
    int *bins, found[BINS];
    void *room = nullptr, *more = nullptr;
    size_t bytes = 0, more_bytes = 0;
    const int n = static_cast<int>(count);
    check(cudaMalloc(&y, count * sizeof *y));
    check(cudaMalloc(&bins, sizeof found));
    check(cudaMalloc(&total, sizeof *total));
    check(cudaMemcpy(y, values, count * sizeof *y, cudaMemcpyHostToDevice));
    check(cub::DeviceHistogram::HistogramEven(room, bytes, y, bins, BINS + 1, 0.0f, 1.0f, n));
    check(cub::DeviceReduce::Sum(more, more_bytes, y, total, n));
    check(cudaMalloc(&room, bytes));
    check(cudaMalloc(&more, more_bytes));
    *histogram = best_of(rounds, [&] {
        check(cub::DeviceHistogram::HistogramEven(room, bytes, y, bins, BINS + 1, 0.0f, 1.0f, n));
        check(cudaMemcpy(found, bins, sizeof found, cudaMemcpyDeviceToHost));
    });
    for (int i = 0; i < BINS; i++)
        if (static_cast<double>(found[i]) != counts[1 + i]) {
            std::fprintf(stderr, "observe_cub: bin %d has %d values, not %.0f\n", i, found[i], counts[1 + i]);
            std::exit(1);
        }
    float result;
    *sum = best_of(rounds, [&] {
        check(cub::DeviceReduce::Sum(more, more_bytes, y, total, n));
        check(cudaMemcpy(&result, total, sizeof result, cudaMemcpyDeviceToHost));
    });
    for (void *p : {static_cast<void *>(y), static_cast<void *>(bins), static_cast<void *>(total), room, more}) check(cudaFree(p));
}
