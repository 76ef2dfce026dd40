/* Linear models as files of other tools: MAT version 4, and scripts. */
#include "analysis/linear_model.h"

#include "base/atomic_file.h"

#include <errno.h>
#include <math.h>
#include <string.h>

typedef struct Named {
    const char *name;
    const double *at;
    uint32_t rows, columns;
} Named;

static void list_matrices(const LinearModel *l, Named to[4])
{
    const LinearSystem *s = &l->system;
    to[0] = (Named){"A", s->a, s->n, s->n};
    to[1] = (Named){"B", s->b, s->n, s->m};
    to[2] = (Named){"C", s->c, s->p, s->n};
    to[3] = (Named){"D", s->d, s->p, s->m};
}

/* ---- MAT ---- */

static bool put_matrix(FILE *f, const Named *m)
{
    int32_t header[] = {0, (int32_t)m->rows, (int32_t)m->columns, 0, (int32_t)strlen(m->name) + 1};
    size_t n = (size_t)m->rows * m->columns;
    return fwrite(header, sizeof header, 1, f) == 1 &&
           fwrite(m->name, strlen(m->name) + 1, 1, f) == 1 &&
           fwrite(m->at, sizeof *m->at, n, f) == n;
}

bool linear_save_mat(Context *ctx, const LinearModel *l, const char *path)
{
    Named all[4];
    AtomicFile f;
    list_matrices(l, all);
    bool good = atomic_open(&f, path);
    for (int i = 0; good && i < 4; i++)
        good = put_matrix(f.file, &all[i]);
    if (l->period > 0 && good)
        good = put_matrix(f.file, &(Named){"period", &l->period, 1, 1});
    good = good && atomic_commit(&f);
    if (good)
        return true;
    int reason = errno;
    atomic_discard(&f);
    diag(ctx, (Span){0}, DIAG_U002, "cannot write '%s': %s", path, strerror(reason));
    return false;
}

/* ---- scripts ---- */

static void put_script_matrix(Text *t, const Named *m, bool python)
{
    if (python && (!m->rows || !m->columns)) {
        text_printf(t, "%s = np.zeros((%u, %u))\n", m->name, m->rows, m->columns);
        return;
    }
    if (!m->rows || !m->columns) {
        text_printf(t, "%s = zeros(%u, %u);\n", m->name, m->rows, m->columns);
        return;
    }
    text_printf(t, python ? "%s = np.array([" : "%s = [", m->name);
    for (uint32_t i = 0; i < m->rows; i++) {
        text_put(t, i ? python ? ",\n     [" : ";\n     " : python ? "[" : "");
        for (uint32_t j = 0; j < m->columns; j++) {
            text_put(t, j ? ", " : "");
            text_put_real(t, m->at[(size_t)j * m->rows + i]);
        }
        text_put(t, python ? "]" : "");
    }
    text_put(t, python ? "])\n" : "];\n");
}

static void put_script_names(Text *t, const char *name, const char *const *names, uint32_t n,
                             bool python)
{
    text_printf(t, python ? "%s = [" : "%s = {", name);
    for (uint32_t i = 0; i < n; i++) {
        text_put(t, i ? ", " : "");
        text_put_char(t, '\'');
        for (const char *c = names[i]; *c; c++) {
            if (*c == '\'')
                text_put_char(t, python ? '\\' : '\'');
            text_put_char(t, *c);
        }
        text_put_char(t, '\'');
    }
    text_put(t, python ? "]\n" : "};\n");
}

bool linear_save_script(Context *ctx, const LinearModel *l, const char *path)
{
    bool python = text_ends_with(path, ".py");
    if (!python && !text_ends_with(path, ".m")) {
        diag(ctx, (Span){0}, DIAG_U008,
             "'%s' must end with .m (MATLAB and Octave) or .py (Python with NumPy)", path);
        return false;
    }
    Named all[4];
    Text t = {0};
    list_matrices(l, all);
    text_printf(&t, "%c linear model of %s at time ", python ? '#' : '%', l->name);
    text_put_real(&t, l->time);
    text_put(&t, python ? "\nimport numpy as np\n" : "\n");
    for (int i = 0; i < 4; i++)
        put_script_matrix(&t, &all[i], python);
    put_script_names(&t, "states", l->states, l->system.n, python);
    put_script_names(&t, "inputs", l->inputs, l->system.m, python);
    put_script_names(&t, "outputs", l->outputs, l->system.p, python);
    text_put(&t, "period = ");
    text_put_real(&t, l->period);
    text_put(&t, python ? "\n" : ";\n");
    bool saved = atomic_save_text(ctx, path, &t);
    text_free(&t);
    return saved;
}
