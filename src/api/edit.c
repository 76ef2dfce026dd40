/* Edits of classes: the public side of src/edit. */
#include "api/session.h"
#include "edit/edit.h"

typedef struct Editing {
    Kairos *k;
    const KairosEdit *given;
    const char *class_, *component, *element;
    Text text;
    int status;
} Editing;

/* What is wrong with the text is found by a check, not by an edit. */
static void edit(void *arg)
{
    Editing *e = arg;
    KairosEdit given;
    e->status = KAIROS_USE_ERROR;
    if (!SESSION_READ(e->k, KairosEdit, e->given, &given))
        return;
    if (!given.path || !given.text || !given.class_name || !given.operations) {
        diag(e->k->ctx, (Span){0}, DIAG_U008, "an edit needs path, text, class and operations");
        return;
    }
    EditRequest r = {given.path, given.text, given.text_size, given.class_name, given.operations};
    DiagMark mark = diag_mark(e->k->ctx);
    session_watch(e->k);
    edit_class(e->k->library, &r, &e->text);
    diag_discard(e->k->ctx, mark);
    e->status = KAIROS_OK;
}

static void describe(void *arg)
{
    Editing *e = arg;
    session_watch(e->k);
    e->status = edit_describe(e->k->library, e->class_, e->component, &e->text)
                    ? KAIROS_OK
                    : KAIROS_MODEL_ERROR;
}

static void list_replacements(void *arg)
{
    Editing *e = arg;
    EditReplaceable what = {e->class_, e->component, e->element};
    session_watch(e->k);
    e->status =
        edit_list_replacements(e->k->library, &what, &e->text) ? KAIROS_OK : KAIROS_MODEL_ERROR;
}

static char *answer(Editing *e, void (*action)(void *arg))
{
    if (session_guard(e->k, action, e, &e->status) == KAIROS_OK)
        return e->text.at; /* now the caller's */
    text_free(&e->text);
    return NULL;
}

char *kairos_edit_class(Kairos *k, const KairosEdit *given)
{
    Editing e = {.k = k, .given = given};
    return answer(&e, edit);
}

char *kairos_describe_component(Kairos *k, const char *class_name, const char *component)
{
    Editing e = {.k = k, .class_ = class_name, .component = component};
    return answer(&e, describe);
}

char *kairos_list_replacements(Kairos *k, const char *class_name, const char *component,
                               const char *element)
{
    Editing e = {.k = k, .class_ = class_name, .component = component, .element = element};
    return answer(&e, list_replacements);
}
