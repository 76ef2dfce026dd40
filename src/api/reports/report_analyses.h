/* Analyses in a report: they run before its page is written, and become sections of it. */
#ifndef API_REPORTS_REPORT_ANALYSES_H
#define API_REPORTS_REPORT_ANALYSES_H

#include "api/session.h"
#include "base/temporary_folder.h"
#include "base/text.h"

enum {
    REPORT_LINEARIZE,
    REPORT_STEADY,
    REPORT_SENSITIVITIES,
    REPORT_SPECTRUM,
    REPORT_FIT,
    REPORT_OPTIMIZE,
    REPORT_ANALYSES, /* their number */
};

typedef struct ReportAnalysis {
    bool wanted;
    int status;
    char *json;    /* NULL: no result */
    char *file[2]; /* pages with pictures, or a result; NULL: none */
} ReportAnalysis;

typedef struct ReportAnalyses {
    KairosModel *m;
    KairosReport how;
    KairosRun run;          /* a copy for analyses: no files */
    TemporaryFolder folder; /* of all files; deleted at the end */
    ReportAnalysis of[REPORT_ANALYSES];
} ReportAnalyses;

/* Makes the folder. 0, or errno. */
int report_begin_analyses(ReportAnalyses *a);
/* The path of a file in the folder; free with free(). */
char *report_temporary(const ReportAnalyses *a, const char *name);
/* Runs them by the public functions, so outside of session_guard. The spectrum is that of a
 * result; NULL: there is none. Returns the worst status. */
int report_run_analyses(ReportAnalyses *a, const char *result);
/* Sections of the page, and links to them. */
void report_put_analyses(const ReportAnalyses *a, Text *t);
void report_link_analyses(const ReportAnalyses *a, Text *t);
/* Deletes the folder. */
void report_end_analyses(ReportAnalyses *a);

#endif
