/* Systems of FMUs (SSP 1.0): FILE.ssp as a Modelica model.
 *
 * In: an archive with SystemStructure.ssd, FMUs and parameter sets (.ssv). Out: the text of a model
 * with a block for each FMU (foreign/wrapper) and an equation for each connection. So FMUs that
 * depend on each other form one system of equations: algebraic loops are found and solved, or
 * reported, as in every model. Units are converted if both sides define them.
 *
 * Files: read.c reads the structure; parameters.c parameter sets and their mappings; units.c units
 * and transformations; write.c writes the text; sources.c has what they share. */
#ifndef FOREIGN_SYSTEM_H
#define FOREIGN_SYSTEM_H

#include "base/text.h"
#include "foreign/archive/fmu_file.h"

typedef struct SystemParameter {
    const char *name;  /* from the system, as a.b.k */
    const char *value; /* as Modelica writes it */
    double number;
    const FmiUnit *unit; /* of the number, which is converted; NULL: the value is taken as it is */
    bool used;
} SystemParameter;

typedef struct SystemConnector {
    const char *name;
    bool input;
    bool typed;          /* the type is given and is a number */
    const char *type;    /* of Modelica */
    const FmiUnit *unit; /* NULL: none, or not defined */
    const XmlNode *node;
} SystemConnector;

typedef struct SystemLinear {
    double factor, offset;
} SystemLinear;

/* Of a connection or a mapping entry. */
typedef struct SystemTransformation {
    SystemLinear linear;
    const XmlNode *map; /* with a MapEntry for each value; NULL: none */
    bool keep_units;
} SystemTransformation;

typedef struct SystemConnection {
    const char *from, *from_connector, *to, *to_connector; /* elements: NULL for the system */
    SystemTransformation change;
    const XmlNode *node;
} SystemConnection;

/* A component, or a system in a system. */
typedef struct SystemElement {
    const char *name;
    const char *class_name; /* in the text */
    FmuFile *fmu;           /* NULL: a system */
    bool co_simulation;
    VEC(struct SystemElement *) elements;
    VEC(SystemConnector) connectors;
    VEC(SystemConnection) connections;
    const XmlNode *node;
} SystemElement;

typedef struct SystemFile {
    Context *ctx;
    Arena *arena;
    const char *path;
    char *outer; /* folder with the contents */
    XmlDocument xml;
    const char *name;
    SystemElement *root;
    VEC(FmuFile *) fmus;
    VEC(SystemParameter) parameters;
    double start, stop; /* NAN: not given */
} SystemFile;

/* Reads the system and appends the text of its model. False after a message. In any case *s is to
 * be closed, after the last run of the model. */
bool system_open(Context *ctx, const char *path, SystemFile **s, Text *t);
void system_close(SystemFile *s);

/* ---- inside this room ---- */
void system_wrong(SystemFile *s, const XmlDocument *d, const XmlNode *node, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* Adds the parameters of the bindings of an element, whose names begin with `prefix`. */
void system_read_parameters(SystemFile *s, const XmlNode *element, const char *prefix);
/* The path of a file of the archive; NULL after a message. */
const char *system_source(SystemFile *s, const XmlNode *node, const char *source);
/* The unit of this name in a list of units; NULL if it is not defined by base units. */
const FmiUnit *system_unit(SystemFile *s, const XmlNode *units, const char *name);
/* False if units of different quantities are to be converted. */
bool system_convert(const FmiUnit *from, const FmiUnit *to, SystemLinear *linear);
/* The transformation below a connection or a mapping entry; false after a message. */
bool system_transformation(SystemFile *s, const XmlDocument *d, const XmlNode *node,
                           SystemTransformation *t);
void system_write(SystemFile *s, Text *t);

#endif
