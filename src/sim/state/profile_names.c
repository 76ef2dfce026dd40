/* Names of tables and counts, in logs, JSON and reports. */
#include "sim/state/profile_record.h"

const char *const profile_table_names[PROFILE_TABLES] = {
    [TABLE_PARTS] = "parts",         [TABLE_BLOCKS] = "blocks", [TABLE_FUNCTIONS] = "functions",
    [TABLE_RELATIONS] = "relations", [TABLE_STATES] = "states", [TABLE_MODES] = "modes"};

const char *const profile_count_names[PROFILE_TABLES][PROFILE_COUNTS] = {
    [TABLE_PARTS] = {"calls"},     [TABLE_BLOCKS] = {"solved", "iterations", "factorizations"},
    [TABLE_FUNCTIONS] = {"calls"}, [TABLE_RELATIONS] = {"events"},
    [TABLE_STATES] = {"steps"},    [TABLE_MODES] = {"visits", "steps", "events"}};
