/* SPDX-License-Identifier: BSD-2-Clause */
/* lanes.h - rows of a grid in the layout of struct ode_lanes: conversion, and the exchange
 * between lanes. */
#ifndef EULERCL_CPU_LANES_H
#define EULERCL_CPU_LANES_H
#include "../internal.h"

#define INLINE static inline __attribute__((always_inline))

/* n points dealt to lanes. */
struct dealt {
    struct ode_lanes lanes;
    int64_t n, start[ODE_MOST_LANES]; /* points; each lane's first, counted from the row's first */
};

/* A row u has `components` vectors per position; y is a plain row, `components` reals per point. */
struct lane_tools {
    int lanes;
    size_t real_size;
    /* Convert all points from y; convert points a .. b-1 back to y, which begins with point a. */
    void (*load)(void *u, const struct dealt *dealt, const void *y, int components);
    void (*store)(
        const void *u, const struct dealt *dealt, void *y, int components, int64_t a, int64_t b);
    /* Load or store a few points. */
    void (*load_part)(
        void *u, const struct dealt *dealt, const void *y, int components, int64_t a, int64_t b);
    void (*store_part)(
        const void *u, const struct dealt *dealt, void *y, int components, int64_t a, int64_t b);
    /* Positions -depth .. -1 and points .. points + depth - 1: the next points of the neighbouring
     * lanes; the first and the last lane's are each other's. depth < points */
    void (*join)(void *u, const struct dealt *dealt, int components, int depth);
    void (*deal_masks)(struct dealt *dealt);
};

/* The functions for vectors of this many lanes; NULL: there are no such functions. The processor
 * must have the instructions. */
const struct lane_tools *ecl_lane_tools(size_t real_size, int lanes);

/* Deal n >= lanes points; the row's first point has column `column`, of nx. */
void ecl_deal(
    const struct lane_tools *tools, int64_t n, int64_t column, int64_t nx, struct dealt *dealt);
#endif
