/* SPDX-License-Identifier: BSD-2-Clause */
/* ode_definition.h - the struct of a problem, filled in from its settings and functions. */
#define ODE_REAL_PARAMETER_(name, value, min, max, unit, doc) \
    {#name, value, min, max, 0, unit, doc},
#define ODE_INTEGER_PARAMETER_(name, value, min, max, unit, doc) \
    {#name, value, min, max, 1, unit, doc},
static const struct ode_parameter ode_parameters[] = {
    ODE_PARAMETERS(ODE_REAL_PARAMETER_, ODE_INTEGER_PARAMETER_){NULL, 0, 0, 0, 0, NULL, NULL}};

#if ODE_HAS_FIELDS_
#define ODE_FIELD_NAME_(name) #name,
static const char *const ode_fields[] = {ODE_FIELDS(ODE_FIELD_NAME_) NULL};
#endif

#define ODE_DERIVE_(name, expression)             \
    const double name ODE_UNUSED_ = (expression); \
    if (ode_constants) ode_constants[ODE_CONSTANT_##name] = name;
static void ode_derive(const double *ode_c, double *ode_constants) {
    ODE_HOST_TYPES_
    ODE_PARAMETERS(ODE_PARAMETER_LOCAL_, ODE_PARAMETER_LOCAL_)
    for (int ode_k = 0; ode_k < ODE_PARAMETER_COUNT_; ode_k++) ode_constants[ode_k] = ode_c[ode_k];
    ODE_DERIVED(ODE_DERIVE_)
}
static void ode_shape(const double *ode_c, struct ode_shape *ode_shape_) {
    ODE_HOST_TYPES_
    ODE_PARAMETERS(ODE_PARAMETER_LOCAL_, ODE_PARAMETER_LOCAL_)
    double *const ode_constants = NULL;
    ODE_DERIVED(ODE_DERIVE_)
    (void)ode_c;
    (void)ode_constants;
    double *const ode_extents = ode_shape_->extents;
#if ODE_GRID
    ode_extents[0] = (double)(ODE_NX);
#else
    ode_extents[0] = (double)(ODE_SIZE);
#endif
    ode_extents[1] = ode_extents[2] = 1;
#if ODE_GRID > 1
    ode_extents[1] = (double)(ODE_NY);
#endif
#if ODE_GRID > 2
    ode_extents[2] = (double)(ODE_NZ);
#endif
#if ODE_ACCESS_ALL
    ode_shape_->access_distance = (double)INFINITY;
#elif defined(ODE_ACCESS_DISTANCE)
    ode_shape_->access_distance = (double)(ODE_ACCESS_DISTANCE);
#elif ODE_PERIODIC_X_ || ODE_PERIODIC_Y_ || ODE_PERIODIC_Z_
    ode_shape_->access_distance =
        ode_extents[0] * ode_extents[1] * ode_extents[2] * ODE_COMPONENTS - 1;
#else
    const double ode_row = ODE_COMPONENTS * ode_extents[0], ode_plane = ode_row * ode_extents[1];
    ode_shape_->access_distance = (ODE_GRID > 2 ? ODE_RADIUS * ode_plane : 0) +
                                  (ODE_GRID > 1 ? ODE_RADIUS * ode_row : 0) +
                                  (ODE_RADIUS + 1) * ODE_COMPONENTS - 1;
#endif
}

/* The file itself, for the OpenCL compiler. */
#define ODE_TEXT_ ODE_PASTE_(ode_text_, ODE_NAME)
#define ODE_TEXT_END_ ODE_PASTE_(ode_text_end_, ODE_NAME)
/* clang-format off */
__asm__(".pushsection .rodata\n"
        ".globl " ODE_STRING_(ODE_TEXT_) "\n"
        ".hidden " ODE_STRING_(ODE_TEXT_) "\n"
        ".globl " ODE_STRING_(ODE_TEXT_END_) "\n"
        ".hidden " ODE_STRING_(ODE_TEXT_END_) "\n"
        ODE_STRING_(ODE_TEXT_) ":\n"
        ".incbin \"" __BASE_FILE__ "\"\n"
        ODE_STRING_(ODE_TEXT_END_) ":\n"
        ".byte 0\n"
        ".popsection\n");
/* clang-format on */
extern const char ODE_TEXT_[] __attribute__((visibility("hidden")));
extern const char ODE_TEXT_END_[] __attribute__((visibility("hidden")));

static const char *ode_rhs(void);

#ifdef ODE_POSITION
static int ode_is_position(ode_index c) { return (ODE_POSITION(c)) != 0; }
#endif

#ifdef ODE_FLUSH_BELOW
static double ode_flush_below(const double *ode_c, ode_index c) {
    ODE_HOST_TYPES_
    ODE_PARAMETERS(ODE_PARAMETER_LOCAL_, ODE_PARAMETER_LOCAL_)
    (void)ode_c;
    (void)c;
    return (double)(ODE_FLUSH_BELOW(c));
}
#endif

#ifdef ODE_BREAKPOINTS
#define ODE_COUNT_BREAKPOINT_(time) +1
#define ODE_BREAKPOINT_(time) ode_times[ode_count++] = (double)(time);
static void ode_breakpoints(const double *ode_c, double *ode_times) {
    ODE_HOST_TYPES_
    ODE_PARAMETERS(ODE_PARAMETER_LOCAL_, ODE_PARAMETER_LOCAL_)
    double *const ode_constants = NULL;
    int ode_count = 0;
    ODE_DERIVED(ODE_DERIVE_)
    (void)ode_c;
    (void)ode_constants;
    ODE_BREAKPOINTS(ODE_BREAKPOINT_)
}
#endif

#ifdef ODE_ATOL
static double ode_atol(const double *ode_c, ode_index c) {
    ODE_HOST_TYPES_
    ODE_PARAMETERS(ODE_PARAMETER_LOCAL_, ODE_PARAMETER_LOCAL_)
    (void)ode_c;
    (void)c;
    return (double)(ODE_ATOL(c));
}
#endif

#define ODE_SYMBOL_ ODE_PASTE_(ode_problem_, ODE_NAME)
extern const struct ode_problem ODE_SYMBOL_ __attribute__((visibility("default")));
const struct ode_problem ODE_SYMBOL_ = {
    .abi = ODE_PROBLEM_ABI,
    .struct_size = sizeof(struct ode_problem),
    .name = ODE_STRING_(ODE_NAME),
    .title = ODE_TITLE,
    .parameters = ode_parameters,
    .parameter_count = ODE_PARAMETER_COUNT_,
    .constant_count = ODE_CONSTANT_COUNT_,
    .grid = {.rank = ODE_GRID,
        .components = ODE_COMPONENTS,
        .radius = ODE_RADIUS,
        .boundary = {{ODE_X_LOW_, ODE_X_HIGH_}, {ODE_Y_LOW_, ODE_Y_HIGH_},
            {ODE_Z_LOW_, ODE_Z_HIGH_}}},
    .field_count = ODE_FIELD_COUNT_,
    .shape = ode_shape,
    .derive = ode_derive,
    .initial = ode_initial,
#if ODE_HAS_EXACT
    .exact = ode_exact,
#endif
#if ODE_HAS_FIELDS_
    .fields = ode_fields,
    .field_values = ODE_FIELD_FUNCTION_,
#endif
    .eval_comp_f32 = ode_call_eval_comp_f32,
    .eval_comp_f64 = ode_call_eval_comp_f64,
    .kernels = ode_kernels,
    .rhs = ode_rhs,
    .text = ODE_TEXT_,
    .text_end = ODE_TEXT_END_,
    .file = __BASE_FILE__,
    .each_kernels = ode_each_kernels,
    .windows = 1,
#ifdef ODE_POSITION
    .is_position = ode_is_position,
#endif
#ifdef ODE_FLUSH_BELOW
    .flush_below = ode_flush_below,
#endif
#ifdef ODE_BREAKPOINTS
    .breakpoint_count = 0 ODE_BREAKPOINTS(ODE_COUNT_BREAKPOINT_),
    .breakpoints = ode_breakpoints,
#endif
#ifdef ODE_ATOL
    .atol = ode_atol,
#endif
#if ODE_HAS_MARKS_
    .find_marks = ode_find_marks,
#endif
};
/* The name under which a plug-in is found; weak, so that several problems may be linked into one
 * program. */
extern const struct ode_problem ode_problem
    __attribute__((weak, alias(ODE_STRING_(ODE_SYMBOL_)), visibility("default")));
