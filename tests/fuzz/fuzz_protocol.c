/* Bytes as an editor sends them: frames, JSON, changes of a document, then questions about its
 * text. The first byte chooses the framing. */
#include "documents.h"
#include "kairos.h"
#include "rpc.h"

static const char *const questions[] = {
    "hover",           "definition",    "type-definition", "signature", "symbols",
    "folds",           "selection",     "tokens",          "hints",     "links",
    "lenses",          "highlights",    "references",      "rename",    "prepare-rename",
    "implementations", "prepare-types", "supertypes",      "subtypes",  "prepare-calls",
    "callers",         "calls",         "places"};

/* ASCII letters of the text choose the question and the place. */
static void ask(const Document *doc)
{
    Kairos *k = kairos_open();
    size_t n = doc->text.n;
    unsigned a = n ? (unsigned char)doc->text.at[n / 2] : 0,
             b = n ? (unsigned char)*doc->text.at : 0;
    KairosQuestion q = {.size = sizeof q,
                        .about = questions[(a + b + n) % (sizeof questions / sizeof *questions)],
                        .path = "fuzz.mo",
                        .text = doc->text.at ? doc->text.at : "",
                        .text_size = n,
                        .line = a % 8,
                        .character = b % 40,
                        .end_line = a,
                        .end_character = b,
                        .name = "name"};
    kairos_free_text(kairos_ask_text(k, &q));
    kairos_free_text(kairos_complete_text(k, "fuzz.mo", q.text, n, q.line + 1, q.character + 1));
    kairos_close(k);
}

static void take(Documents *docs, const char *text, size_t n)
{
    cJSON *o = cJSON_ParseWithLength(text, n);
    const cJSON *params = json_part(o, "params"), *item = json_part(params, "textDocument");
    const char *opened = json_text(item, "text");
    Document *doc = document_find(docs, "file:///fuzz.mo");
    if (opened)
        doc = document_open(docs, "file:///fuzz.mo", opened, 1);
    if (doc && json_part(params, "contentChanges"))
        document_change(doc, json_part(params, "contentChanges"));
    cJSON_Delete(o);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Documents docs = {0};
    Rpc rpc = {.lines = size && data[0] == '{', .in = -1, .out = -1};
    const char *text;
    size_t n;
    document_open(&docs, "file:///fuzz.mo",
                  "model M\n  Real x(start=1);\nequation\n  x=1;\nend M;\n", 1);
    text_put_n(&rpc.buffer, (const char *)data, size);
    for (RpcRead r; (r = rpc_next(&rpc, &text, &n)) != RPC_NOTHING;)
        if (r == RPC_MESSAGE)
            take(&docs, text, n);
    if (docs.first)
        ask(docs.first);
    documents_free(&docs);
    rpc_free(&rpc);
    return 0;
}
