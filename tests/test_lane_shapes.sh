#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The header with the shapes of stages is the one that follows from the methods.
header=include/eulercl/detail/ode_lane_shapes.h
lib/method/lane_shapes | cmp - "${EULERCL_TEST_SOURCES:-$(dirname "$0")/..}/$header" ||
    { echo "FAIL: the methods have changed: make lane-shapes writes $header again"; exit 1; }
echo "$header follows from the methods"
