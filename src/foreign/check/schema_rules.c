/* Rules of the XML schemas (FMI 1.0, 2.0, 3.0): elements, their order and their attributes.
 *
 * A row has the attributes and the children of an element. An attribute is NAME:TYPE, with ! if it
 * is required. Types are r (real), i (integer), u (from 0), b (Boolean), d (date), words that are
 * possible (a|b), and lists of these (*TYPE). Without a type it is text.
 *
 * Children are words a or a|b, with ! if exactly one of them is required, + if at least one is, *
 * if there may be any number; without a mark each may stand once. * alone means any element. */
#include "foreign/check/check.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct Element {
    uint8_t versions;   /* bits: 1, 2 and 4 for FMI 1, 2 and 3 */
    const char *parent; /* NULL: any */
    const char *name;
    const char *attributes;
    const char *children; /* in their order */
} Element;

#define CAPABILITIES_2                                                                             \
    "modelIdentifier! needsExecutionTool:b canBeInstantiatedOnlyOncePerProcess:b "                 \
    "canNotUseMemoryManagementFunctions:b canGetAndSetFMUstate:b canSerializeFMUstate:b "          \
    "providesDirectionalDerivative:b "
#define CAPABILITIES_3                                                                             \
    "modelIdentifier! needsExecutionTool:b canBeInstantiatedOnlyOncePerProcess:b "                 \
    "canGetAndSetFMUState:b canSerializeFMUState:b providesDirectionalDerivatives:b "              \
    "providesAdjointDerivatives:b providesPerElementDependencies:b "
#define HEAD                                                                                       \
    "fmiVersion! modelName! description author version generationTool generationDateAndTime:d "    \
    "variableNamingConvention:flat|structured "
#define REAL "quantity unit displayUnit relativeQuantity:b min:r max:r nominal:r "
#define WHOLE "quantity min:i max:i "
#define COUNT "quantity min:u max:u "
#define TYPE "name! description "
#define VARIABILITY "variability:constant|fixed|tunable|discrete|continuous "
#define CLOCKED                                                                                    \
    "name! valueReference:u! description canHandleMultipleSetPerTimeInstant:b clocks:*u "          \
    "declaredType " VARIABILITY                                                                    \
    "causality:parameter|calculatedParameter|input|output|local|independent|structuralParameter "
#define VARIABLE CLOCKED "intermediateUpdate:b previous:u initial:exact|approx|calculated "
#define CLOCK                                                                                      \
    "canBeDeactivated:b priority:u "                                                               \
    "intervalVariability:constant|fixed|tunable|changing|countdown|triggered! intervalDecimal:r "  \
    "shiftDecimal:r supportsFraction:b resolution:u intervalCounter:u shiftCounter:u "
#define DEPENDENCIES "dependencies:*u dependenciesKind:*dependent|constant|fixed|tunable|discrete "
#define OLD_TYPES "Real|Integer|Boolean|String|Enumeration!"
#define FLOAT(name)                                                                                \
    {4, NULL, #name "Type", TYPE REAL "unbounded:b", "Annotations"},                               \
    {                                                                                              \
        4, NULL, #name, VARIABLE REAL "unbounded:b start:*r derivative:u reinit:b",                \
            "Annotations Dimension* Alias*"                                                        \
    }
#define INTEGER(name, bounds, start)                                                               \
    {4, NULL, #name "Type", TYPE bounds, "Annotations"},                                           \
    {                                                                                              \
        4, NULL, #name, VARIABLE bounds start, "Annotations Dimension* Alias*"                     \
    }

static const Element elements[] = {
    {1, NULL, "fmiModelDescription",
     HEAD "guid! modelIdentifier! numberOfContinuousStates:u! numberOfEventIndicators:u!",
     "UnitDefinitions TypeDefinitions DefaultExperiment VendorAnnotations ModelVariables "
     "Implementation"},
    {2, NULL, "fmiModelDescription", HEAD "guid! copyright license numberOfEventIndicators:u",
     "ModelExchange|CoSimulation UnitDefinitions TypeDefinitions LogCategories DefaultExperiment "
     "VendorAnnotations ModelVariables! ModelStructure!"},
    {4, NULL, "fmiModelDescription", HEAD "instantiationToken! copyright license",
     "ModelExchange CoSimulation ScheduledExecution UnitDefinitions TypeDefinitions LogCategories "
     "DefaultExperiment ModelVariables! ModelStructure! Annotations"},
    /* interfaces */
    {1, NULL, "Implementation", "", "CoSimulation_StandAlone|CoSimulation_Tool!"},
    {1, NULL, "CoSimulation_StandAlone", "", "Capabilities!"},
    {1, NULL, "CoSimulation_Tool", "", "Capabilities! Model!"},
    {1, NULL, "Capabilities",
     "canHandleVariableCommunicationStepSize:b canHandleEvents:b canRejectSteps:b "
     "canInterpolateInputs:b maxOutputDerivativeOrder:u canRunAsynchronuously:b canSignalEvents:b "
     "canBeInstantiatedOnlyOncePerProcess:b canNotUseMemoryManagementFunctions:b",
     ""},
    {1, NULL, "Model", "entryPoint! manualStart:b type!", "File*"},
    {1, NULL, "File", "file!", ""},
    {2, NULL, "ModelExchange", CAPABILITIES_2 "completedIntegratorStepNotNeeded:b", "SourceFiles"},
    {2, NULL, "CoSimulation",
     CAPABILITIES_2 "canHandleVariableCommunicationStepSize:b canInterpolateInputs:b "
                    "maxOutputDerivativeOrder:u canRunAsynchronuously:b",
     "SourceFiles"},
    {2, NULL, "SourceFiles", "", "File+"},
    {2, NULL, "File", "name!", ""},
    {4, NULL, "ModelExchange",
     CAPABILITIES_3 "needsCompletedIntegratorStep:b providesEvaluateDiscreteStates:b",
     "Annotations"},
    {4, NULL, "CoSimulation",
     CAPABILITIES_3
     "canHandleVariableCommunicationStepSize:b fixedInternalStepSize:r maxOutputDerivativeOrder:u "
     "recommendedIntermediateInputSmoothness:i providesIntermediateUpdate:b "
     "mightReturnEarlyFromDoStep:b canReturnEarlyAfterIntermediateUpdate:b hasEventMode:b "
     "providesEvaluateDiscreteStates:b",
     "Annotations"},
    {4, NULL, "ScheduledExecution", CAPABILITIES_3, "Annotations"},
    /* units, types, the rest of the head */
    {1, NULL, "UnitDefinitions", "", "BaseUnit*"},
    {6, NULL, "UnitDefinitions", "", "Unit+"},
    {1, NULL, "BaseUnit", "unit!", "DisplayUnitDefinition*"},
    {1, NULL, "DisplayUnitDefinition", "displayUnit! gain:r offset:r", ""},
    {2, NULL, "Unit", "name!", "BaseUnit DisplayUnit*"},
    {4, NULL, "Unit", "name!", "BaseUnit DisplayUnit* Annotations"},
    {6, NULL, "BaseUnit", "kg:i m:i s:i A:i K:i mol:i cd:i rad:i factor:r offset:r", ""},
    {2, NULL, "DisplayUnit", "name! factor:r offset:r", ""},
    {4, NULL, "DisplayUnit", "name! factor:r offset:r inverse:b", "Annotations"},
    {1, NULL, "TypeDefinitions", "", "Type*"},
    {1, NULL, "Type", TYPE, "RealType|IntegerType|BooleanType|StringType|EnumerationType!"},
    {1, NULL, "RealType", REAL, ""},
    {1, NULL, "IntegerType", WHOLE, ""},
    {1, NULL, "BooleanType", "", ""},
    {1, NULL, "StringType", "", ""},
    {1, NULL, "EnumerationType", WHOLE, "Item*"},
    {1, NULL, "Item", "name! description", ""},
    {2, NULL, "TypeDefinitions", "", "SimpleType+"},
    {2, NULL, "SimpleType", TYPE, OLD_TYPES},
    {2, "SimpleType", "Real", REAL "unbounded:b", ""},
    {2, "SimpleType", "Integer", WHOLE, ""},
    {2, "SimpleType", "Boolean", "", ""},
    {2, "SimpleType", "String", "", ""},
    {2, "SimpleType", "Enumeration", "quantity", "Item+"},
    {2, NULL, "Item", "name! value:i! description", ""},
    {4, NULL, "TypeDefinitions", "",
     "Float32Type|Float64Type|Int8Type|UInt8Type|Int16Type|UInt16Type|Int32Type|UInt32Type|"
     "Int64Type|UInt64Type|BooleanType|StringType|BinaryType|EnumerationType|ClockType+"},
    {4, NULL, "BooleanType", TYPE, "Annotations"},
    {4, NULL, "StringType", TYPE, "Annotations"},
    {4, NULL, "BinaryType", TYPE "mimeType maxSize:u", "Annotations"},
    {4, NULL, "EnumerationType", TYPE WHOLE, "Annotations Item+"},
    {4, NULL, "Item", "name! value:i! description", "Annotations"},
    {4, NULL, "ClockType", TYPE CLOCK, "Annotations"},
    {2, NULL, "LogCategories", "", "Category+"},
    {2, NULL, "Category", "name! description", ""},
    {4, NULL, "LogCategories", "", "Category+"},
    {4, NULL, "Category", "name! description", "Annotations"},
    {1, NULL, "DefaultExperiment", "startTime:r stopTime:r tolerance:r", ""},
    {2, NULL, "DefaultExperiment", "startTime:r stopTime:r tolerance:r stepSize:r", ""},
    {4, NULL, "DefaultExperiment", "startTime:r stopTime:r tolerance:r stepSize:r", "Annotations"},
    {1, NULL, "VendorAnnotations", "", "Tool*"},
    {2, NULL, "VendorAnnotations", "", "Tool+"},
    {1, NULL, "Tool", "name!", "Annotation*"},
    {1, NULL, "Annotation", "name! value!", ""},
    {2, NULL, "Tool", "name!", "*"},
    {2, NULL, "Annotations", "", "Tool+"},
    {4, NULL, "Annotations", "", "Annotation+"},
    {4, NULL, "Annotation", "type!", "*"},
    /* variables */
    {1, NULL, "ModelVariables", "", "ScalarVariable*"},
    {2, NULL, "ModelVariables", "", "ScalarVariable+"},
    {1, NULL, "ScalarVariable",
     "name! valueReference:u! description variability:constant|parameter|discrete|continuous "
     "causality:input|output|internal|none alias:noAlias|alias|negatedAlias",
     OLD_TYPES " DirectDependency"},
    {1, NULL, "DirectDependency", "", "Name*"},
    {1, NULL, "Name", "", ""},
    {1, NULL, "Real", "declaredType " REAL "start:r fixed:b", ""},
    {1, NULL, "Integer", "declaredType " WHOLE "start:i fixed:b", ""},
    {1, NULL, "Boolean", "declaredType start:b fixed:b", ""},
    {1, NULL, "String", "declaredType start fixed:b", ""},
    {1, NULL, "Enumeration", "declaredType! " WHOLE "start:i fixed:b", ""},
    {2, NULL, "ScalarVariable",
     "name! valueReference:u! description canHandleMultipleSetPerTimeInstant:b " VARIABILITY
     "causality:parameter|calculatedParameter|input|output|local|independent "
     "initial:exact|approx|calculated",
     OLD_TYPES " Annotations"},
    {2, NULL, "Real", "declaredType " REAL "unbounded:b start:r derivative:u reinit:b", ""},
    {2, NULL, "Integer", "declaredType " WHOLE "start:i", ""},
    {2, NULL, "Boolean", "declaredType start:b", ""},
    {2, NULL, "String", "declaredType start", ""},
    {2, NULL, "Enumeration", "declaredType! " WHOLE "start:i", ""},
    {4, NULL, "ModelVariables", "",
     "Float32|Float64|Int8|UInt8|Int16|UInt16|Int32|UInt32|Int64|UInt64|Boolean|String|Binary|"
     "Enumeration|Clock+"},
    FLOAT(Float32),
    FLOAT(Float64),
    INTEGER(Int8, WHOLE, "start:*i"),
    INTEGER(UInt8, COUNT, "start:*u"),
    INTEGER(Int16, WHOLE, "start:*i"),
    INTEGER(UInt16, COUNT, "start:*u"),
    INTEGER(Int32, WHOLE, "start:*i"),
    INTEGER(UInt32, COUNT, "start:*u"),
    INTEGER(Int64, WHOLE, "start:*i"),
    INTEGER(UInt64, COUNT, "start:*u"),
    {4, NULL, "Boolean", VARIABLE "start:*b", "Annotations Dimension* Alias*"},
    {4, NULL, "String", VARIABLE, "Annotations Dimension* Start* Alias*"},
    {4, NULL, "Binary", VARIABLE "mimeType maxSize:u", "Annotations Dimension* Start* Alias*"},
    {4, NULL, "Enumeration", VARIABLE WHOLE "start:*i", "Annotations Dimension* Alias*"},
    {4, NULL, "Clock", CLOCKED CLOCK, "Annotations Alias"},
    {4, NULL, "Start", "value", ""},
    {4, NULL, "Dimension", "start:u valueReference:u", ""},
    {4, NULL, "Alias", "name! description displayUnit", "Annotations"},
    /* the model structure */
    {2, NULL, "ModelStructure", "", "Outputs Derivatives InitialUnknowns"},
    {2, NULL, "Outputs", "", "Unknown+"},
    {2, NULL, "Derivatives", "", "Unknown+"},
    {2, NULL, "InitialUnknowns", "", "Unknown+"},
    {2, NULL, "Unknown", "index:u! " DEPENDENCIES, ""},
    {4, NULL, "ModelStructure", "",
     "Output* ContinuousStateDerivative* ClockedState* InitialUnknown* EventIndicator*"},
    {4, NULL, "Output", "valueReference:u! " DEPENDENCIES, "Annotations"},
    {4, NULL, "ContinuousStateDerivative", "valueReference:u! " DEPENDENCIES, "Annotations"},
    {4, NULL, "ClockedState", "valueReference:u! " DEPENDENCIES, "Annotations"},
    {4, NULL, "InitialUnknown", "valueReference:u! " DEPENDENCIES, "Annotations"},
    {4, NULL, "EventIndicator", "valueReference:u! " DEPENDENCIES, "Annotations"},
};

typedef struct Rules {
    Context *ctx;
    const FmiDescription *d;
} Rules;

#define WRONG(r, node, ...) diag((r)->ctx, xml_span(&(r)->d->xml, (node)), DIAG_U052, __VA_ARGS__)

static const Element *find_element(const Rules *r, const XmlNode *parent, const char *name)
{
    for (size_t i = 0; i < sizeof elements / sizeof *elements; i++) {
        const Element *e = &elements[i];
        if (e->versions >> (r->d->version - 1) & 1 && !strcmp(e->name, name) &&
            (!e->parent || (parent && !strcmp(e->parent, parent->name))))
            return e;
    }
    return NULL;
}

/* The next word of a list that `separator` divides; its length is 0 at the end. */
static size_t next_word(const char **list, char separator)
{
    while (**list == separator)
        ++*list;
    size_t n = 0;
    while ((*list)[n] && (*list)[n] != separator)
        n++;
    return n;
}

static bool is_word(const char *word, size_t n, const char *text, size_t length)
{
    return n == length && !strncmp(word, text, n);
}

/* ---- values ---- */

static bool is_whole(const char *text, size_t n, bool negative)
{
    size_t i = n && (*text == '+' || (negative && *text == '-')), first = i;
    while (i < n && isdigit((unsigned char)text[i]))
        i++;
    return i == n && i > first;
}

static bool is_real(const char *text, size_t n)
{
    static const char *const special[] = {"NaN", "INF", "-INF"};
    for (int i = 0; i < 3; i++)
        if (is_word(special[i], strlen(special[i]), text, n))
            return true;
    char *end;
    strtod(text, &end);
    return n && strspn(text, "0123456789+-.eE") >= n && end == text + n;
}

static bool is_date(const char *text)
{
    int day, end = 0;
    if (sscanf(text, "%*4d-%*2d-%2dT%*2d:%*2d:%*2d%n", &day, &end) < 1 || !end)
        return false;
    text += end;
    if (*text == '.')
        text += 1 + strspn(text + 1, "0123456789");
    if (*text == '+' || *text == '-')
        return strlen(text) == 6 && text[3] == ':';
    return !*text || !strcmp(text, "Z");
}

/* Whether the text is one of the words a|b|c. */
static bool is_one_of(const char *words, size_t n_words, const char *text, size_t n)
{
    const char *end = words + n_words;
    while (words < end) {
        const char *bar = memchr(words, '|', (size_t)(end - words));
        size_t length = (size_t)((bar ? bar : end) - words);
        if (is_word(words, length, text, n))
            return true;
        words += length + 1;
    }
    return false;
}

/* Whether a value has the type. */
static bool has_type(const char *type, size_t n_type, const char *text, size_t n)
{
    if (n_type > 1)
        return is_one_of(type, n_type, text, n);
    switch (*type) {
    case 'r': return is_real(text, n);
    case 'i': return is_whole(text, n, true);
    case 'u': return is_whole(text, n, false);
    case 'b':
        return is_word("true", 4, text, n) || is_word("false", 5, text, n) ||
               is_word("1", 1, text, n) || is_word("0", 1, text, n);
    default: return is_date(text);
    }
}

static const char *type_text(char type)
{
    return type == 'r'   ? "a number"
           : type == 'i' ? "a whole number"
           : type == 'u' ? "a whole number from 0"
           : type == 'b' ? "true or false"
                         : "a date such as 2026-01-31T12:00:00Z";
}

static void check_value(const Rules *r, const XmlNode *node, const XmlAttribute *a,
                        const char *type, size_t n_type)
{
    const char *text = a->value;
    bool list = *type == '*', good = true;
    type += list;
    n_type -= list;
    if (!list)
        good = has_type(type, n_type, text, strlen(text));
    for (size_t n; list && good && (n = next_word(&text, ' ')); text += n)
        good = has_type(type, n_type, text, n);
    if (!good && n_type > 1)
        WRONG(r, node, "%s = \"%s\" of <%s> is not one of %.*s", a->name, a->value, node->name,
              (int)n_type, type);
    else if (!good)
        WRONG(r, node, "%s = \"%s\" of <%s> is not %s%s", a->name, a->value, node->name,
              list ? "a list of values, each " : "", type_text(*type));
}

/* ---- attributes ---- */

/* The end of the name in the word of an attribute. */
static size_t name_length(const char *word, size_t n)
{
    size_t k = 0;
    while (k < n && word[k] != ':' && word[k] != '!')
        k++;
    return k;
}

static void check_attribute(const Rules *r, const XmlNode *node, const Element *e,
                            const XmlAttribute *a)
{
    const char *list = e->attributes;
    for (size_t n; (n = next_word(&list, ' ')); list += n) {
        size_t name = name_length(list, n), end = n - (list[n - 1] == '!');
        if (!is_word(list, name, a->name, strlen(a->name)))
            continue;
        if (list[name] == ':')
            check_value(r, node, a, list + name + 1, end - name - 1);
        return;
    }
    WRONG(r, node, "<%s> cannot have the attribute '%s' in FMI %u", node->name, a->name,
          r->d->version);
}

static void check_required(const Rules *r, const XmlNode *node, const Element *e)
{
    const char *list = e->attributes;
    for (size_t n; (n = next_word(&list, ' ')); list += n) {
        bool found = list[n - 1] != '!';
        size_t name = name_length(list, n);
        for (uint32_t i = 0; !found && i < node->n_attributes; i++)
            found = is_word(list, name, node->attributes[i].name, strlen(node->attributes[i].name));
        if (!found)
            WRONG(r, node, "<%s> has no attribute '%.*s'", node->name, (int)name, list);
    }
}

/* ---- children ---- */

/* One of the words of an element's children. */
typedef struct ChildPlace {
    const char *names; /* a|b */
    size_t n;
    char mark; /* 0: none */
} ChildPlace;

/* False at the end. */
static bool next_place(const char **list, ChildPlace *p)
{
    size_t n = next_word(list, ' ');
    p->names = *list;
    p->mark = n && strchr("!+*", p->names[n - 1]) ? p->names[n - 1] : 0;
    p->n = n - (p->mark != 0);
    *list += n;
    return n;
}

static bool stands_at(const ChildPlace *p, const XmlNode *child)
{
    return is_one_of(p->names, p->n, child->name, strlen(child->name));
}

/* The number of the child's place, from 1; 0: the element cannot have it. */
static int place_of(const Element *e, const XmlNode *child, ChildPlace *p)
{
    const char *list = e->children;
    for (int k = 1; next_place(&list, p); k++)
        if (stands_at(p, child))
            return k;
    return 0;
}

/* Whether another one before it takes the child's place. */
static bool is_second(const XmlNode *node, const XmlNode *child, const ChildPlace *p)
{
    for (const XmlNode *c = node->child; c != child; c = c->next)
        if (p->mark == '!' ? stands_at(p, c) : !p->mark && !strcmp(c->name, child->name))
            return true;
    return false;
}

static void check_missing(const Rules *r, const XmlNode *node, const Element *e)
{
    ChildPlace p;
    for (const char *list = e->children; next_place(&list, &p);) {
        const XmlNode *c = node->child;
        while (c && !stands_at(&p, c))
            c = c->next;
        if (!c && (p.mark == '!' || p.mark == '+'))
            WRONG(r, node, "<%s> must contain <%.*s>", node->name, (int)p.n, p.names);
    }
}

static void check_children(const Rules *r, const XmlNode *node, const Element *e)
{
    int most = 0;
    const XmlNode *last = NULL; /* the one at the place `most` */
    for (const XmlNode *c = node->child; c; c = c->next) {
        ChildPlace p;
        int place = place_of(e, c, &p);
        if (!place)
            WRONG(r, c, "<%s> cannot contain <%s> in FMI %u", node->name, c->name, r->d->version);
        else if (place < most)
            WRONG(r, c, "<%s> must stand before <%s>", c->name, last->name);
        else if (is_second(node, c, &p))
            WRONG(r, c, "<%s> can contain only one <%.*s>", node->name, (int)p.n, p.names);
        if (place > most) {
            most = place;
            last = c;
        }
    }
    check_missing(r, node, e);
}

static void check_node(const Rules *r, const XmlNode *parent, const XmlNode *node)
{
    const Element *e = find_element(r, parent, node->name);
    if (!e)
        return;
    for (uint32_t i = 0; i < node->n_attributes; i++)
        if (!node->attributes[i].qualified)
            check_attribute(r, node, e, &node->attributes[i]);
    check_required(r, node, e);
    if (!strcmp(e->children, "*"))
        return;
    check_children(r, node, e);
    for (const XmlNode *c = node->child; c; c = c->next)
        check_node(r, node, c);
}

void check_schema(Context *ctx, const FmuFile *f)
{
    Rules r = {ctx, f->description};
    check_node(&r, NULL, r.d->xml.root);
}
