/* Reports: one HTML page about a model and a run. In: a compiled model, its result as a table, its
 * events, the log of the run. Out: the text of the page (page/page.h), with links from equations
 * and events to the source, which is part of it. */
#ifndef REPORT_REPORT_H
#define REPORT_REPORT_H

#include "output/output.h"
#include "page/page.h"
#include "structure/plan/plan.h"
#include "syntax/tree/ast.h"

typedef VEC(const EventRecord *) ReportEvents;

typedef struct ReportFile { /* a source that something in the page refers to */
    uint32_t file;
    VEC(uint32_t) lines; /* referred to */
} ReportFile;

typedef struct Report {
    Context *ctx;
    const AstClass *model;
    const Flat *flat;
    const Plan *plan;
    const Table *table;                   /* NULL if the run gave none */
    const ReportEvents *events;           /* in order of time */
    uint64_t n_events;                    /* also those that were not kept */
    const ProfileRecord *profile;         /* NULL: none was measured */
    const char *log, *diagram, *messages; /* NULL or empty: none; diagram: SVG */
    const char *analyses, *links;         /* sections of analyses, and links to them, as HTML */
    Text *out;
    Arena *arena;
    VEC(ReportFile) files;
} Report;

void report_write(Report *r);

/* links.c: a link to a line, as "Ball.mo:7", whose source becomes part of the page; nothing for
 * file 0 */
void report_put_link(Report *r, Span span);
void report_put_number(Text *t, double x);

/* timeline.c: a copy of what a report says about an event */
const EventRecord *report_event(const EventRecord *record, Arena *arena);
/* events and changes of discrete variables over time, and a table of them */
void report_put_events(Report *r);
/* profile.c: a copy; a flame graph and tables */
const ProfileRecord *report_profile(const ProfileRecord *record, Arena *arena);
void report_put_profile(Report *r);
/* equations.c */
void report_put_equations(Report *r);
void report_put_sources(Report *r);

#endif
