/* Fuzzer of scripts of Omsim's command language, which are run with a small model beside them.
 * Large numbers are left out, because a script may ask for a run of any length. */
#include "ocl.h"

#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerInitialize(int *argc, char ***argv);

static void put_file(const char *path, const void *data, size_t size)
{
    FILE *f = fopen(path, "wb");
    if (!f || fwrite(data, 1, size, f) != size || fclose(f))
        abort();
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    static const char library[] = "LIBRARY Lib;\n"
                                  "M ISA Model WITH\n"
                                  "variables: x TYPE Real := 1.0; y TYPE Real;\n"
                                  "parameters: a TYPE Real := 2.0;\n"
                                  "equations: x' = -a * x; y = 2 * x;\n"
                                  "END;\n";
    (void)argc, (void)argv;
    put_file("Lib.om", library, sizeof library - 1);
    return 0;
}

static bool is_moderate(const uint8_t *data, size_t size)
{
    unsigned digits = 0, most = 0, numbers = 0;
    for (size_t i = 0; i < size; i++) {
        bool after = i && isdigit(data[i - 1]);
        if (after && tolower(data[i]) == 'e')
            return false;
        digits = isdigit(data[i]) ? digits + 1 : 0;
        numbers += digits == 1;
        most = digits > most ? digits : most;
    }
    return most <= 2 && numbers < 40;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (!is_moderate(data, size))
        return 0;
    const char *path = "script.ocl";
    Options o = {.arguments = {.at = &path, .n = 1}, .output = "plots"};
    put_file(path, data, size);
    run_script(&o, 0);
    return 0;
}
