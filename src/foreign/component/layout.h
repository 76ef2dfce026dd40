/* The variables of an FMU as a model uses them. The wrapper's text and the component that runs it
 * compute the same layout from the description, so that both count alike.
 *
 * Arrays are taken apart: a list has an entry for each element. Only numbers are listed; Strings
 * are parameters at most. */
#ifndef FOREIGN_LAYOUT_H
#define FOREIGN_LAYOUT_H

#include "foreign/description/description.h"

typedef struct LayoutEntry {
    uint32_t variable, element;
} LayoutEntry;

typedef struct LayoutList {
    LayoutEntry *at; /* elements */
    uint32_t n;
    uint32_t *variables; /* the same, arrays whole */
    uint32_t n_variables;
} LayoutList;

/* Outputs, or other variables, that depend on the same inputs. */
typedef struct LayoutGroup {
    LayoutList values;
    uint32_t *inputs; /* places in `inputs` of the elements that they depend on */
    uint32_t n_inputs;
} LayoutGroup;

typedef struct Layout {
    const FmiDescription *d;
    bool exchange;          /* the run places the FMU: model exchange or scheduled execution */
    bool scheduled;         /* scheduled execution: partitions run at ticks of clocks */
    LayoutList states;      /* model exchange; FMI 1 has none: x is unnamed */
    LayoutList derivatives; /* of these */
    LayoutList inputs;      /* continuous ones first */
    uint32_t n_continuous;  /* elements of continuous inputs */
    uint32_t n_continuous_variables;
    LayoutList parameters; /* set before the initialization */
    LayoutList starts;     /* other variables with a start value, set before it as well */
    LayoutList calculated; /* constant after the initialization */
    LayoutList discretes;  /* change at events only */
    LayoutGroup *groups;   /* continuous variables but states and their derivatives */
    uint32_t n_groups;
    uint32_t *clocks; /* input clocks with times */
    uint32_t n_clocks;
    uint32_t *triggers; /* input clocks that others trigger: Booleans that become true */
    uint32_t n_triggers;
    uint32_t *ticks; /* output clocks, as numbers of ticks */
    uint32_t n_ticks;
    uint32_t n_states, n_indicators;
    uint32_t *strings; /* parameters of type String */
    uint32_t n_strings;
} Layout;

typedef enum LayoutKind { LAYOUT_EXCHANGE, LAYOUT_CO_SIMULATION, LAYOUT_SCHEDULED } LayoutKind;

Layout layout_of(const FmiDescription *d, LayoutKind kind, Arena *arena);

#endif
