// A plug-in whose table is filled in by the target `plugin` before the library asks for it.
#include "gpu/plugin_abi.h"

extern "C" {
__attribute__((visibility("default"))) griddle_plugin griddle_failing_table;
__attribute__((visibility("default"))) const griddle_plugin* griddle_device_plugin() { return &griddle_failing_table; }
}
