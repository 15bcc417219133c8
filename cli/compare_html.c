#include "compare.h"
int write_compare_html(const struct compare *compare, const char *path) { (void)compare; (void)path; return 0; }
