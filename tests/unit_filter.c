/* Part of every unit test program: KAIROS_UNIT_TEST names the one test function to run. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

__attribute__((constructor)) static void filter(void)
{
    const char *name = getenv("KAIROS_UNIT_TEST");
    if (name)
        cmocka_set_test_filter(name);
}
