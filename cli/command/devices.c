/* SPDX-License-Identifier: BSD-2-Clause */
/* devices.c - eulercl devices: what OpenCL offers. */
#include "config.h"

#include "command/commands.h"
#include "shared/arguments.h"
#include "shared/json.h"
#include "shared/message.h"

#include <inttypes.h>
#include <stdio.h>

static const struct argp_child children[] = {{&common_argp, 0, NULL, 0}, {0}};
static const struct argp argp = {.children = children, .doc = "List the OpenCL devices."};

static const char *kind(const eulercl_device_info *device) {
    return device->is_gpu ? "gpu" : device->is_cpu ? "cpu" : "other";
}

static int print_json(void) {
    json_t *const devices = json_array();
    eulercl_device_info device = {.struct_size = sizeof device};
    for (size_t i = 0; eulercl_get_device(i, &device, NULL) == EULERCL_OK; i++)
        json_array_append_new(devices,
            json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:b, s:I, s:I, s:I, s:I, s:I}", "id",
                device.id, "name", device.name, "vendor", device.vendor, "driver", device.driver,
                "platform", device.platform, "kind", kind(&device), "double", device.has_double,
                "compute_units", (json_int_t)device.compute_units, "global_bytes",
                (json_int_t)device.global_bytes, "max_allocation_bytes",
                (json_int_t)device.max_allocation_bytes, "local_bytes",
                (json_int_t)device.local_bytes, "max_workgroup_size",
                (json_int_t)device.max_workgroup_size));
    return json_print(json_pack("{s:o}", "devices", devices));
}

static int print_text(void) {
    eulercl_device_info device = {.struct_size = sizeof device};
    for (size_t i = 0; eulercl_get_device(i, &device, NULL) == EULERCL_OK; i++)
        printf("%-5s  %s (%s)\n"
               "       %s, driver %s\n"
               "       double: %s, compute units: %" PRIu32 ", largest work-group: %" PRIu64 "\n"
               "       global memory: %.2f GiB (one buffer: %.2f GiB), local memory: %.0f KiB\n",
            device.id, device.name, kind(&device), device.platform, device.driver,
            device.has_double ? "yes" : "no", device.compute_units, device.max_workgroup_size,
            (double)device.global_bytes / 0x1p30, (double)device.max_allocation_bytes / 0x1p30,
            (double)device.local_bytes / 0x1p10);
    return EULERCL_OK;
}

int devices_main(int argc, char **argv) {
    struct common common = {.command = "eulercl devices"};
    eulercl_device_info device = {.struct_size = sizeof device};
    eulercl_error error;
    const int status = parse_options(&argp, argc, argv, &common);
    if (status) return status;
    if (eulercl_get_device(0, &device, &error)) return fail_library(&error);
    if (common.json) return print_json();
    return print_text();
}
