/* What a study keeps of each run: named expressions (kept/kept.h). */
#include "study.h"

#include <stdlib.h>
#include <string.h>

bool keep_parse(Study *s, const char *name, const char *text, unsigned line)
{
    char wrong[200];
    s->keeps = study_resize(s->keeps, s->n_keeps + 1, sizeof *s->keeps);
    s->kept_exprs = study_resize(s->kept_exprs, s->n_keeps + 1, sizeof *s->kept_exprs);
    KeptExpr *e = kept_parse(text, wrong, sizeof wrong);
    s->kept_exprs[s->n_keeps] = e;
    s->keeps[s->n_keeps++] = study_copy(name);
    if (!e)
        fprintf(stderr, "kairos: %s:%u: '%s' in %s: %s\n", s->path, line, text, name, wrong);
    return e;
}

const char *keep_name(const Study *s, unsigned i)
{
    return s->keeps[i];
}

void keep_free(Study *s)
{
    for (unsigned i = 0; i < s->n_keeps; i++) {
        free(s->keeps[i]);
        if (s->kept_exprs)
            kept_free_expr(s->kept_exprs[i]);
    }
    free(s->keeps);
    free(s->kept_exprs);
}

bool keep_needs_rows(const Study *s)
{
    for (unsigned i = 0; i < s->n_keeps; i++)
        if (kept_over_time(s->kept_exprs[i]))
            return true;
    return s->n_trajectories > 0;
}

bool keep_needs_events(const Study *s)
{
    for (unsigned i = 0; i < s->n_keeps; i++)
        if (kept_of_events(s->kept_exprs[i]))
            return true;
    return false;
}

bool keep_check(const Study *s, const char *const *names, size_t n)
{
    bool ok = true;
    for (unsigned i = 0; i < s->n_keeps; i++) {
        const char *missing = kept_resolve(s->kept_exprs[i], names, n),
                   *near = missing ? study_nearest(missing, names, n) : NULL;
        if (missing)
            fprintf(stderr, "kairos: %s: %s: the model has no variable '%s'%s%s%s\n", s->path,
                    s->keeps[i], missing, near ? "; did you mean '" : "", near ? near : "",
                    near ? "'?" : "");
        ok &= !missing;
    }
    return ok;
}
