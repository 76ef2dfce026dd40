/* Shared by the parts of the printer. */
#ifndef SYNTAX_PRINTER_H
#define SYNTAX_PRINTER_H

#include "syntax/tree/ast.h"

typedef struct Printer {
    char *text; /* not NUL-terminated */
    size_t n, cap;
    unsigned indent;
    bool raw_lines; /* strings keep their line ends as they are, instead of as "\n" */
} Printer;

void put(Printer *o, const char *s);
void put_line(Printer *o); /* line end and indentation */
void put_string(Printer *o, const char *s, size_t n);
char *printer_take(Printer *o, Arena *arena); /* NUL-terminated; ends the printer */

void put_name(Printer *o, const AstName *n);
void put_ref(Printer *o, const AstRef *r);
void put_expr(Printer *o, const AstExpr *e);
void put_exprs(Printer *o, AstExpr *const *at, uint32_t n);      /* a, b, c */
void put_subscripts(Printer *o, AstExpr *const *at, uint32_t n); /* nothing if n is 0 */
void put_iters(Printer *o, const AstIter *at, uint32_t n);

void put_comment(Printer *o, const AstComment *c);
void put_equation_section(Printer *o, const AstEqSection *s);
void put_algorithm_section(Printer *o, const AstAlgSection *s);
void put_connect(Printer *o, const AstEq *eq);

#endif
