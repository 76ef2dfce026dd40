/* Fuzzer of study files: YAML or JSON, the factors and the design in it, and what is kept. The
 * first points of a design are within the ranges of their factors. */
#include "study.h"

#include <math.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool is_bounded(const Factor *f)
{
    return f->kind == FACTOR_UNIFORM || f->kind == FACTOR_TRIANGULAR;
}

static void check_points(const Study *s)
{
    enum { FEW = 20 };
    double *values = calloc(s->n_factors + 1, sizeof *values);
    for (uint64_t point = 0; point < s->design.points && point < FEW; point++) {
        design_point(s, point, values, NULL);
        for (unsigned i = 0; i < s->n_factors; i++) {
            const Factor *f = &s->factors[i];
            double last = f->p[f->kind == FACTOR_TRIANGULAR ? 2 : 1];
            if (s->design.kind != DESIGN_LIST && is_bounded(f) &&
                !(values[i] >= f->p[0] && values[i] <= last)) {
                fprintf(stderr, "%s of point %u is %g\n", f->name, (unsigned)point, values[i]);
                abort();
            }
        }
    }
    free(values);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[64];
    int file = memfd_create("study", 0);
    if (file < 0 || write(file, data, size) != (ssize_t)size)
        abort();
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    Study *s = study_read(path);
    if (s)
        check_points(s);
    study_free(s);
    close(file);
    return 0;
}
