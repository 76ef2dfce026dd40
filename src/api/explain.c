/* Explanations of diagnostics: kairos_explain_code. */
#include "api/session.h"

#include "base/explain.h"

typedef struct Explanation {
    Kairos *k;
    const char *name;
    Text text;
    char *result;
    int status;
} Explanation;

static void explain(void *arg)
{
    Explanation *x = arg;
    DiagCode code;
    if (!x->name)
        explain_list(&x->text);
    else if (explain_find(x->name, &code))
        explain_code(&x->text, code);
    else {
        diag(x->k->ctx, (Span){0}, DIAG_U017, "there is no diagnostic '%s'; did you mean %s (%s)?",
             x->name, diag_code_name(code), diag_code_title(code));
        return;
    }
    x->result = session_text(x->text.at);
}

char *kairos_explain_code(Kairos *k, const char *code)
{
    Explanation x = {.k = k, .name = code};
    session_guard(k, explain, &x, &x.status);
    text_free(&x.text);
    return x.result;
}
