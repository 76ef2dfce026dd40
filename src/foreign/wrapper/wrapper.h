/* A Modelica class for an FMU: its variables, and equations that call the FMU.
 *
 * In: an FMU. Out: the text of a block with connectors for inputs and outputs, and parameters. It
 * needs no other class. Its functions are those of foreign/component/natives.c, so only Kairos runs
 * it. Model exchange is coupled into the equations: states, derivatives and event indicators are
 * variables of the model, and connected FMUs form one system. Co-simulation advances by
 * communication steps.
 *
 * Everything that simulates an FMU goes through this text: `kairos simulate FILE.fmu`, systems of
 * FMUs, and components of models. */
#ifndef FOREIGN_WRAPPER_H
#define FOREIGN_WRAPPER_H

#include "base/text.h"
#include "foreign/archive/fmu_file.h"

typedef enum WrapperKind { WRAPPER_AUTO, WRAPPER_EXCHANGE, WRAPPER_CO_SIMULATION } WrapperKind;

typedef struct WrapperOptions {
    WrapperKind kind; /* AUTO: model exchange if the FMU has it */
    const char *name; /* of the class; NULL: the identifier of the FMU */
    const char *path; /* of the FMU, as the text names it */
    bool plain;       /* names of start values are x.start, for simulation; otherwise x_start */
    const char *structure; /* of fmi_set_structure for this FMU; NULL: as described */
} WrapperOptions;

/* Appends the text; its name as an identifier goes to *name, in the arena. False after a message.
 */
bool wrapper_write(Context *ctx, const FmuFile *f, const WrapperOptions *o, Arena *arena, Text *t,
                   const char **name);
/* A name as an identifier of Modelica: in quotes unless it is one. In the arena. */
const char *wrapper_identifier(const char *name, Arena *arena);
/* A text as a String of Modelica, with its quotes. */
void wrapper_put_string(Text *t, const char *text);
/* The annotation of an experiment; NAN: not given. */
void wrapper_put_experiment(Text *t, double start, double stop, double tolerance, double interval);

#endif
