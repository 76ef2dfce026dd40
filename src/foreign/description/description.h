/* The description of an FMU (FMI 1.0, 2.0, 3.0) as data, in the words of FMI 3.
 *
 * In: the text of modelDescription.xml. Out: FmiDescription. Reading accepts every description that
 * can be understood; foreign/check/ judges whether it follows the standard. For that purpose, the
 * data says which attributes were given.
 *
 * Files: read.c the head of the document, units and types; read_variables.c variables and their
 * attributes; read_structure.c the model structure; structural_parameters.c other sizes of arrays;
 * attributes.c values of attributes; lookup.c names. */
#ifndef FOREIGN_DESCRIPTION_H
#define FOREIGN_DESCRIPTION_H

#include "foreign/xml/xml_tree.h"

typedef enum FmiType {
    FMI_FLOAT64,
    FMI_FLOAT32,
    FMI_INT8,
    FMI_UINT8,
    FMI_INT16,
    FMI_UINT16,
    FMI_INT32,
    FMI_UINT32,
    FMI_INT64,
    FMI_UINT64,
    FMI_BOOLEAN,
    FMI_ENUMERATION,
    FMI_STRING,
    FMI_BINARY,
    FMI_CLOCK,
    FMI_TYPES
} FmiType;

typedef enum FmiCausality {
    FMI_STRUCTURAL_PARAMETER,
    FMI_PARAMETER,
    FMI_CALCULATED_PARAMETER,
    FMI_INPUT,
    FMI_OUTPUT,
    FMI_LOCAL,
    FMI_INDEPENDENT,
    FMI_CAUSALITIES
} FmiCausality;

typedef enum FmiVariability {
    FMI_CONSTANT,
    FMI_FIXED,
    FMI_TUNABLE,
    FMI_DISCRETE,
    FMI_CONTINUOUS,
    FMI_VARIABILITIES
} FmiVariability;

typedef enum FmiInitial {
    FMI_INITIAL_NONE,
    FMI_EXACT,
    FMI_APPROX,
    FMI_CALCULATED,
    FMI_INITIALS
} FmiInitial;

/* Names as the standard writes them. */
extern const char *const fmi_type_names[FMI_TYPES];
extern const char *const fmi_causality_names[FMI_CAUSALITIES];
extern const char *const fmi_variability_names[FMI_VARIABILITIES];
extern const char *const fmi_initial_names[FMI_INITIALS];

typedef struct FmiDimension {
    uint64_t size;      /* NONE for the value of a structural parameter */
    uint32_t reference; /* its value reference, if `size` is not given */
    bool fixed;
} FmiDimension;

typedef enum FmiInterval {
    FMI_INTERVAL_CONSTANT,
    FMI_INTERVAL_FIXED,
    FMI_INTERVAL_TUNABLE,
    FMI_INTERVAL_CHANGING,
    FMI_INTERVAL_COUNTDOWN,
    FMI_INTERVAL_TRIGGERED,
    FMI_INTERVALS
} FmiInterval;

/* Attributes of a Clock. */
typedef struct FmiClock {
    uint8_t kind;           /* FmiInterval */
    double interval, shift; /* NAN: not given */
    double priority;
} FmiClock;

typedef struct FmiVariable {
    const char *name;
    uint32_t reference;
    uint8_t type, causality, variability, initial;
    /* attributes that were given; others have the default of the standard */
    bool has_causality, has_variability, has_initial;
    const char *start;   /* as written; NULL: none */
    const char **starts; /* of String and Binary in FMI 3: the values of their elements */
    const char *unit, *display_unit, *quantity, *description, *declared_type;
    double min, max, nominal; /* NAN: not given */
    uint32_t derivative_of;   /* index of a variable; NONE */
    bool reinit;
    bool is_state;            /* a derivative of it is in the model structure */
    bool is_state_derivative; /* in the model structure */
    const FmiDimension *dimensions;
    uint32_t n_dimensions;
    uint32_t size;         /* elements with the present values of structural parameters */
    bool is_set;           /* a structural parameter with another value than in the file */
    bool is_resized;       /* an array whose size this has changed */
    const FmiClock *clock; /* NULL: not a Clock */
    const XmlNode *node;   /* for messages */
} FmiVariable;

/* An unknown of the model structure. */
typedef struct FmiUnknown {
    uint32_t variable; /* index; NONE if it does not exist */
    bool has_dependencies;
    uint32_t *dependencies; /* indices; NONE for one that does not exist */
    uint32_t n_dependencies, n_kinds;
    const XmlNode *node;
} FmiUnknown;
typedef VEC(FmiUnknown) FmiUnknowns;

typedef struct FmiDisplayUnit {
    const char *name;
    double factor, offset;
    bool inverse;
} FmiDisplayUnit;

typedef struct FmiUnit {
    const char *name;
    double exponents[8]; /* kg, m, s, A, K, mol, cd, rad */
    double factor, offset;
    bool has_base;
    VEC(FmiDisplayUnit) displays;
    const XmlNode *node;
} FmiUnit;

typedef struct FmiItem {
    const char *name;
    int64_t value;
} FmiItem;

typedef struct FmiTypeDefinition {
    const char *name;
    uint8_t type;
    const char *unit, *display_unit, *quantity;
    double min, max, nominal;
    VEC(FmiItem) items;
    const XmlNode *node;
} FmiTypeDefinition;

/* One of the interfaces of an FMU; identifier NULL: it does not have this one. */
typedef struct FmiInterface {
    const char *identifier;
    bool needs_tool, once_per_process, saves_state, serialises_state, directional, adjoint;
    /* co-simulation */
    bool variable_steps, event_mode, early_return, interpolates_inputs, asynchronous;
    /* model exchange */
    bool ignores_completed_step;
    double fixed_step; /* 0: none */
    const XmlNode *node;
} FmiInterface;

typedef struct FmiDescription {
    XmlDocument xml;
    unsigned version; /* 1, 2 or 3 */
    const char *version_text, *model_name, *token, *description, *tool;
    bool structured_names; /* the naming convention */
    FmiInterface exchange, co_simulation, scheduled;
    double start_time, stop_time, tolerance, step_size; /* NAN: not given */
    VEC(FmiUnit) units;
    VEC(FmiTypeDefinition) types;
    VEC(FmiVariable) variables;
    FmiUnknowns outputs, derivatives, initial_unknowns, indicators, clocked_states;
    bool has_structure;
    uint32_t n_states, n_indicators; /* elements of arrays counted */
    Map by_reference;                /* FMI 3: index of a variable */
} FmiDescription;

/* Reads the text, which messages call `name`. The result lives in the arena, and is freed by
 * fmi_free_description besides. NULL after a message. */
FmiDescription *fmi_read_description(Context *ctx, const char *name, const char *text, size_t n,
                                     Arena *arena);
void fmi_free_description(FmiDescription *d);

/* Whether it is a structural parameter that is a whole number. */
bool fmi_is_structural(const FmiVariable *v);
/* Sets structural parameters, before the description is used: lines NAME=VALUE, of which others are
 * ignored. Returns the lines that change something, in the arena; *why: the reason of a failure. */
const char *fmi_set_structure(FmiDescription *d, const char *settings, Arena *arena,
                              const char **why);

/* NULL if there is none. */
const FmiTypeDefinition *fmi_find_type(const FmiDescription *d, const char *name);
const FmiUnit *fmi_find_unit(const FmiDescription *d, const char *name);
/* Whether values of this type are numbers. */
bool fmi_is_number(FmiType type);
bool fmi_is_float(FmiType type);
/* The start value of element k of a number; 0 if there is none. A single value is for all. */
double fmi_start(const FmiVariable *v, uint32_t k);
bool fmi_has_common_start(const FmiVariable *v); /* a single value */
/* The name of element k of an array, such as a[2,1], in the arena; of a scalar, its name. */
const char *fmi_element_name(const FmiDescription *d, const FmiVariable *v, uint32_t k,
                             Arena *arena);

/* ---- inside this room ---- */

/* Attributes: the value if it is given and understood. A value that cannot be understood is an
 * error. */
const char *fmi_text(const XmlNode *node, const char *name);
bool fmi_flag(FmiDescription *d, const XmlNode *node, const char *name, bool otherwise);
double fmi_real(FmiDescription *d, const XmlNode *node, const char *name, double otherwise);
uint64_t fmi_count(FmiDescription *d, const XmlNode *node, const char *name, uint64_t otherwise);
/* The place of the value among the names; `otherwise` if it is not given. */
uint8_t fmi_choice(FmiDescription *d, const XmlNode *node, const char *name,
                   const char *const *names, uint8_t n, uint8_t otherwise);
void fmi_wrong(FmiDescription *d, const XmlNode *node, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void fmi_read_variables(FmiDescription *d, const XmlNode *list, Arena *arena);
void fmi_read_structure(FmiDescription *d, Arena *arena);
/* Sizes of arrays, by the start values of structural parameters. */
void fmi_resolve_sizes(FmiDescription *d);
/* FMI 2 and 3: marks and counts the states, whose derivatives the structure lists, and, in FMI 3,
 * the event indicators. Returns a derivative whose size is not that of its state; NULL: none. */
const FmiVariable *fmi_count_states(FmiDescription *d);

#endif
