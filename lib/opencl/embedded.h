/* SPDX-License-Identifier: BSD-2-Clause */
/* embedded.h - the kernel texts that the library carries, as byte arrays made at build time (see
 * lib/local.mk). */
#ifndef EULERCL_EMBEDDED_H
#define EULERCL_EMBEDDED_H
/* Those that the tables of lib/schedule/registers/ name. */
#define EMBEDDED_REGISTERS              \
    EMBEDDED(register_line)             \
    EMBEDDED(register_plane)            \
    EMBEDDED(register_plane_once)       \
    EMBEDDED(register_plane_persistent) \
    EMBEDDED(register_stream)           \
    EMBEDDED(register_pipeline_rows)    \
    EMBEDDED(register_pipeline)         \
    EMBEDDED(register_volume_planes)    \
    EMBEDDED(register_volume)

#define EMBEDDED(NAME)                            \
    extern const unsigned char ecl_text_##NAME[]; \
    extern const unsigned long ecl_text_##NAME##_size;
EMBEDDED(prelude)
EMBEDDED(words)
EMBEDDED(math_words)
EMBEDDED(forms)
EMBEDDED(common)
EMBEDDED(estimate)
EMBEDDED(stages)
EMBEDDED(linear)
EMBEDDED(local_forms)
EMBEDDED(tile)
EMBEDDED(tile_rows)
EMBEDDED(tile_columns)
EMBEDDED(register)
EMBEDDED_REGISTERS
EMBEDDED(ceilings)
EMBEDDED(local_memory)
EMBEDDED(monitor)
EMBEDDED(histogram)
EMBEDDED(thin)
EMBEDDED(correlation)
EMBEDDED(extract)
EMBEDDED(front)
EMBEDDED(patterns)
EMBEDDED(length)
EMBEDDED(ode_boundary)
EMBEDDED(ode_words)
EMBEDDED(ode_coefficients)
EMBEDDED(ode_functions)
EMBEDDED(ode_math_constants)
EMBEDDED(ode_math)
EMBEDDED(ode_update)
EMBEDDED(ode_forms)
EMBEDDED(diamond_geometry)
EMBEDDED(overlap_geometry)
#undef EMBEDDED
#endif
