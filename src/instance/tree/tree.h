/* The instance tree: classes, modifiers, instances. For the rooms that tools/layers.txt names.
 *
 * A Class is a class in its lexical place: the table of its elements, own and inherited. It knows
 * nothing of values and is shared by all its instances. An Instance is a Class with modifiers: a
 * component of another instance, or a class used by name (a package, a record, a type). A Modifier
 * is a piece of syntax with the scope of its expressions. The modifiers of an instance form a
 * chain, outermost first, and are handed down to its elements by name.
 *
 * Everything is made on demand and once:
 *   class_get       local elements, then the layers of the base classes
 *   inst_expand     the modifiers of the elements
 *   inst_component  type and prefixes of a component (redeclarations applied)
 *   inst_dims       its dimensions
 *   inst_value      its value, if it is constant or structural
 *
 * The rooms tree, values and functions call each other: dimensions need values, values need types
 * and functions, and types need dimensions. This header is their common interface. An array of
 * components is one Instance with dimensions; if its elements differ in structure, each has one as
 * well. */
#ifndef INSTANCE_TREE_H
#define INSTANCE_TREE_H

#include "base/path.h"
#include "instance/typing/typing.h"

typedef struct Library Library;
typedef struct Instance Instance;
typedef struct Class Class;
typedef struct Layer Layer;
typedef struct Modifier Modifier;
typedef struct LibFile LibFile;
typedef struct NameScope NameScope;

/* A lexical place: the text of layer->ast, within an instance that has this layer. */
typedef struct Scope {
    Instance *inst;
    Layer *layer;
} Scope;

/* ---- modifiers ---- */

struct Modifier {
    /* NULL for the modification of a declaration, an extends clause or a short class */
    const AstArg *arg;
    /* used parts of arg->name; the remaining ones are between here and mod */
    uint32_t part;
    const AstMod *mod; /* NULL if there is none */
    /* element that replaces the declared one; NULL for none */
    const AstElement *redeclare;
    Scope scope; /* of the expressions in mod and the types in redeclare */
    /* the value has the dimensions of all instances below this one (each cuts it short) */
    Instance *base;
    bool each, final;
    /* of a class's constraining clause: weaker than the replacement's own modification */
    bool is_constraint;
    /* of the constraining clause of a component: settings of its replacement stay */
    bool is_default;
    bool is_setting; /* given by the user for this run; reaches everything */
    /* "[2,1]": a setting only for this element of the array; NULL for others */
    const char *only;
    Span span;
    /* outermost modification that leads to arg: of a declaration, an extends clause or a short
     * class */
    const AstMod *owner;
    const Layer *extended; /* of an extends clause: the base class it modifies; NULL for others */
    Modifier *next;        /* of lower priority */
};

/* ---- classes ---- */

typedef enum ElementKind { ELEMENT_CLASS, ELEMENT_COMPONENT, ELEMENT_ATTRIBUTE } ElementKind;

typedef struct Element {
    Name name;
    ElementKind kind;
    /* NULL for attributes, top-level classes and classes in files of their own */
    const AstElement *ast;
    const AstClass *class_ast; /* ELEMENT_CLASS; NULL while not loaded */
    LibFile *file;             /* ELEMENT_CLASS in a file of its own; NULL for others */
    Layer *layer;              /* the class whose text declares it */
    /* element replaced by a redeclaration in the class body, + 1; 0 for none */
    uint32_t inherited;
    bool is_protected;
    /* a local declaration that is inherited as well, in the inherited place */
    bool in_order;
    bool is_added;  /* by a connection, to an expandable connector; `type` is then its type */
    Instance *type; /* memo: type of the component, if it is the same in all instances */
} Element;

/* The text of a class within a Class: the class itself (number 0), or one of its base classes. */
struct Layer {
    const AstClass *ast;
    Scope scope;                /* that encloses ast */
    Layer *parent;              /* the layer with the extends clause; NULL for number 0 */
    const AstMod *mod;          /* of the extends clause, in the scope of parent */
    Modifier *modifiers;        /* of the base class if it was itself a modified class */
    bool is_protected;          /* inherited by a protected extends clause */
    uint32_t first, end;        /* layers [first, end) in preorder are this one and its bases */
    Map *own;                   /* names declared in ast; shared by all classes with this layer */
    const AstElement **imports; /* size n_imports: import clauses of ast */
    uint32_t n_imports;
};

typedef struct ClassDim {
    const AstExpr *dim;
    Layer *layer; /* of the short class */
} ClassDim;

typedef enum ClassState { CLASS_NEW, CLASS_EXPANDING, CLASS_READY, CLASS_FAILED } ClassState;

struct Class {
    Library *lib;
    const AstClass *ast; /* NULL for predefined types and the root */
    Scope scope;         /* that encloses it */
    Name name;           /* full name */
    AstRestriction restriction;
    bool is_partial;
    bool is_final;
    bool is_own; /* of one instance of an expandable connector */
    ClassState state;
    TypeId type;            /* predefined types and types derived from them; T_NONE for others */
    AstCausality causality; /* input or output prefix of a short class */
    VEC(Layer *) layers;    /* in preorder */
    VEC(Element) elements;
    Map by_name;         /* Name → element */
    VEC(uint32_t) order; /* elements in force: those of base classes first */
    VEC(ClassDim) dims;  /* of short classes, outermost first */
    Instance *shared;    /* the instance without modifiers */
    uint32_t n_added;    /* inner components that the model lacked */
};

/* ---- instances ---- */

/* A function that replaces an input of the function made for it. */
typedef struct FunctionValue {
    Name input;
    Function *function;
    /* size function->n_in: OP_LOCAL of the function made; EXPR_NONE for open inputs */
    ExprId *bound;
} FunctionValue;

/* A function that takes functions, made for those it is called with. */
typedef struct Special {
    Instance *inst;
    Name name;
    FunctionValue *values; /* size n: one for each input that is a function */
    uint32_t n;
    struct Special *next;
} Special;

enum { MAX_SPECIALS = 1000, MAX_ADDED_INNER = 64 };

typedef enum Mark { MARK_NONE, MARK_BUSY, MARK_DONE, MARK_FAILED } Mark;

/* A value, uniform over the first `uniform` dimensions of the arrays around it: these are left out.
 */
typedef struct InstValue {
    Value value;
    uint32_t uniform;
} InstValue;

struct Instance {
    Class *cls;
    Instance *parent;       /* of a component; NULL for classes and the model */
    uint32_t index;         /* element of parent->cls */
    uint32_t id;            /* index in Library.instances */
    const AstElement *decl; /* of a component: its declaration in force */
    Scope decl_scope;
    Modifier *mods; /* outermost first */
    /* size cls->elements.n after inst_expand; NULL if no modifier reaches an element */
    Modifier **child_mods;
    Instance **children; /* same size; made on demand */
    uint32_t n_children;
    Mark expanded, dims_mark, value_mark, type_mark, checked;
    uint8_t variability;     /* AstVariability */
    uint8_t causality, flow; /* AstCausality, AstFlow */
    bool is_protected, is_final, is_inner, is_outer;
    bool absent;       /* its condition is false */
    bool is_iterating; /* guards against cycles of names */
    bool own_scope;    /* local classes depend on this instance's modifiers */
    bool evaluated;    /* a structural parameter whose value was used */
    bool is_top;       /* the model */
    bool is_part;      /* the model, which is meant as part of others */
    bool in_absent;    /* inside an absent component */
    /* an element of an expandable connector that a connection made, or inside one */
    bool is_added;
    uint32_t depth;
    uint32_t rank;       /* own dimensions */
    uint32_t outer_rank; /* dimensions of all arrays around it */
    int64_t *dims;
    /* of an array whose elements differ in structure: one for each; NULL for others */
    Instance **elements;
    Instance *array;  /* of such an element: the array; NULL for others */
    uint32_t element; /* its number there, from 0 */
    Instance *target; /* of an outer component: the inner one */
    /* of a record or simple component, without dimensions; T_NONE while unknown */
    TypeId type;
    InstValue value;
    ExprId literal;     /* of a constant: its value as an expression */
    Function *function; /* of a function class */
    /* of a function that takes functions: those made from it; of one of these: itself */
    Special *special;

    /* numbers in Flat (variable_numbers.c), relative to an element of the parent */
    uint32_t var, n_vars; /* n_vars: of one element, the first if they differ */
    uint32_t comp, n_comps;
    uint32_t var_at, comp_at; /* absolute, for the first element of all arrays around it */
    bool is_numbered;
};

/* ---- the library ---- */

struct LibFile {
    Name name;              /* of the class */
    const char *path;       /* file with its text; for a folder its package.mo */
    const char *folder;     /* NULL for a single file */
    const char *version;    /* in the name of the folder; NULL if there is none */
    uint32_t folder_number; /* in Library.folders, at the top */
    const LibFile *package; /* package whose folder contains it; NULL at the top */
    const AstClass *ast;    /* NULL while not loaded */
    bool failed, scanned;
    VEC(LibFile *) children; /* of a folder, by name */
};

/* An instance as seen from a scope inside `skip` dimensions of arrays: OP_VAR of the instance
 * phase. */
typedef struct InstRef {
    Instance *inst;
    uint32_t skip;
} InstRef;

/* Classes in folders, which are loaded when they are first looked for (src/instance/library). */
typedef struct StoredClasses {
    bool (*load)(Library *lib, LibFile *file);
    /* element of lib->root; MAP_NONE if there is no such class */
    uint32_t (*top)(Library *lib, Name name);
    /* the version of `name` that a loaded class uses; or NULL */
    const char *(*used_version)(Library *lib, Name name);
    /* Whether a file in the folders has the class at its top level, though the file has another
     * name, so that `top` does not find it; the place of its name. */
    bool (*misplaced)(Library *lib, Name name, Span *span);
} StoredClasses;

/* A file that is not read from the disk when its class is looked up. */
typedef struct KnownText {
    AstFile *tree;    /* parsed ahead; NULL: not */
    const char *text; /* of a file that is being edited; NULL: not */
    size_t size;
} KnownText;

struct Library {
    Context *ctx;
    const StoredClasses *stored_classes;
    Graph *g;
    Arena *arena;
    VEC(AstFile *) files;
    VEC(const char *) folders;
    uint32_t n_trusted; /* folders whose external code is always called */
    /* top-level contents of the folders, in their order, newest versions first */
    VEC(LibFile *) stored;
    uint32_t n_indexed; /* of the folders */
    Map file_of_class;  /* AstClass → index in tree_files */
    /* names of unknown classes: where StoredClasses.misplaced found them; nowhere if not */
    VEC(Span) misplaced;
    Map misplaced_of_name; /* Name → index in misplaced */
    VEC(KnownText) known;  /* files whose text or tree is known before they are looked up */
    Map known_paths;       /* path → index in known */
    VEC(LibFile *) tree_files;
    Class *root; /* the unnamed class of all top-level classes */
    Instance *root_inst;
    Map predefined; /* Name → index in classes */
    VEC(Class *) classes;
    Map class_table; /* hash → last class with it */
    VEC(uint32_t) class_same;
    VEC(Instance *) instances;
    VEC(InstRef) refs;
    Map ref_table;
    Map checks;    /* texts that restrictions.c has already checked */
    Map set_aside; /* those before a look at a class by itself, while `looking` */
    bool looking;
    Map imports;        /* import clause → id of the instance it leads to */
    uint32_t last_file; /* index of the file added last */
    unsigned depth;     /* of nested evaluation */
    bool picks;         /* settings are for single elements of arrays */
    /* declarations of arrays of components whose elements differ in structure */
    Map unlike;
    /* there are more of these than were known: the model is to be instantiated again */
    bool again;
    bool too_deep; /* components nested without end were reported; none are made after that */
    Map operator_records; /* TypeId → id of the instance of the operator record's class */
    Map operator_table;   /* operator record and operator → index in operator_sets */
    VEC(TypeOperators) operator_sets;
    void *flat;           /* the flattening under way */
    bool numbered;        /* its variables have their numbers */
    bool names_instances; /* there are OP_INSTANCE_NAME */
    /* of a variable in Flat */
    EvalStatus (*flat_value)(Library *lib, uint32_t var, bool soft, Value *out);
    Name (*flat_name)(Library *lib, uint32_t var);
    bool (*flat_varies)(Library *lib, uint32_t var); /* is not a constant or parameter */
};

/* class_queries.c */
Name library_name(Library *lib, const char *text);
/* The first name of a path such as a.'b.c'.d, with its escapes resolved as in the lexer; moves
 * beyond its dot. */
Name library_next_name(Library *lib, const char **text);
Name class_full_name(Library *lib, const Class *scope, Name name);
/* element, MAP_NONE if absent */
uint32_t class_find(const Class *c, Name name);
bool class_is_simple(const Class *c); /* predefined or enumeration */
bool class_is_record(const Class *c);
bool class_is_connector(const Class *c);
bool class_is_function(const Class *c);
uint32_t class_add(Class *c, Element e);        /* its number; found by its name from now on */
const char *restriction_text(AstRestriction r); /* "model" */
bool inst_is_leaf(const Instance *inst);        /* a variable of predefined or enumeration type */

/* class.c */
/* expanded, or CLASS_FAILED after an error */
Class *class_get(Library *lib, const AstClass *ast, Scope scope);
/* the instance without modifiers */
Instance *class_shared(Library *lib, Class *c);
/* the same words, comments aside */
bool same_class(Library *lib, const AstClass *a, const AstClass *b);
void predefined_make(Library *lib); /* Real, Integer, …: lib->predefined */

/* lookup.c */
typedef struct Found {
    Instance *inst; /* NULL: not found */
    uint32_t index;
} Found;

Found lookup_name(Library *lib, Scope scope, Name name); /* reports nothing */
/* The class of that name; NULL after an error. */
Instance *lookup_class(Library *lib, Scope scope, const AstName *name);
/* The class of an extends clause, which may be in a partial package. */
Instance *lookup_base(Library *lib, Scope scope, const AstName *name);
Instance *lookup_path(Library *lib, Scope scope, const Name *parts, uint32_t n, bool absolute,
                      Span span);
Found lookup_member(Library *lib, Instance *inst, Name name);
/* Reports import clauses in the text of the class that lead nowhere, used or not. */
void lookup_check_imports(Library *lib, const Class *c);
/* `dotted`: more names follow, so that it may be a library. */
void report_unknown(Library *lib, Scope scope, Name name, Span span, const char *what, bool dotted);
void report_unknown_member(Library *lib, Instance *inst, Name name, Span span);
const Element *found_element(Found f);
/* Checks that element `e` may be reached by a dot from the class of `in`; reports why not. */
bool check_dot(Library *lib, const Instance *in, const Element *e, Span span);

/* modifier.c */
void inst_expand(Library *lib, Instance *inst);
Modifier *modifier_value(const Instance *inst); /* the one that gives the value; NULL for none */
Modifier *modifier_attribute(Library *lib, Instance *inst, const char *name);
/* The active redeclaration among those of an element, and whether one yields to the settings of the
 * element's class. */
const Modifier *modifier_redeclaration(const Modifier *chain, const Element *e);
bool modifier_yields(const Modifier *m, const Element *e);
Modifier *modifier_append(Modifier *chain, Modifier *more); /* chain must be owned */
Modifier *modifier_of(Library *lib, const AstMod *mod, Scope scope, Instance *base, Span span);
/* Checks a chain: final elements, double modification. */
void modifier_check(Library *lib, const Instance *inst);

/* rules.c */
/* a note with the rule that was broken */
void report_rule(Library *lib, const char *section, const char *rule);
/* true at the first call with these */
bool check_once(Library *lib, const void *what, const void *where);

/* restrictions.c: rules about kinds of classes and prefixes, reported once for each text */
bool is_reserved(Name name);           /* a predefined type that no declaration hides */
bool class_is_package(const Class *c); /* fulfils the requirements for a package */
void restrict_class(Library *lib, const Class *c);
void restrict_base(Library *lib, const Class *c, const Class *base, Span span);
void restrict_component(Library *lib, const Instance *inst);
/* whose elements have been made */
void restrict_block_connector(Library *lib, const Instance *inst);

/* selective_extension.c: elements that an extends clause removes */
bool deselects_component(const AstMod *mod, Name name);
/* `eq` is in the text of `layer` */
bool deselects_connect(Library *lib, const Layer *layer, const AstEq *eq);
void deselect_check(Library *lib, const Class *base, const AstMod *mod);

/* subtyping.c: subtyping. Checks redeclarations and outer components among the elements of an
 * instance. */
void constrain_instance(Library *lib, Instance *inst);
bool class_inherits(const Class *c, const Class *base); /* or is the same class */
/* The type that replacements of an element must have; NULL for elements without declaration. */
Instance *constraint_of(Library *lib, Instance *inst, uint32_t index);

/* value.c */
const char *class_last_name(const Class *c); /* "Ball" of Package.Ball */

/* component.c */
Instance *inst_new(Library *lib, Class *cls);
/* component or class; NULL after an error */
Instance *inst_child(Library *lib, Instance *inst, uint32_t index);
/* the same if it exists already, otherwise NULL */
Instance *inst_made(const Instance *inst, uint32_t index);
Instance *inst_component(Library *lib, Instance *inst, uint32_t index); /* NULL after an error */
Instance *inst_class(Library *lib, Instance *inst, uint32_t index);     /* NULL after an error */
/* The condition of a component, of its declaration or of the one that it replaces, and its place;
 * NULL for none. */
const AstExpr *inst_condition(const Instance *inst, Scope *scope);
/* An outer component's inner one, which may itself be both; `inst` as found by its name in a scope.
 */
Instance *inst_follow(Instance *inst);
char *inst_path(Library *lib, const Instance *inst);
int64_t inst_count(const Instance *inst); /* elements by own dimensions */

/* dimension.c */
/* unknown ones are DIM_UNKNOWN during the computation */
bool inst_dims(Library *lib, Instance *inst);
/* dimension k as declared, and where */
const AstExpr *inst_dim(Instance *inst, uint32_t k, Scope *scope);
/* without dimensions; T_NONE if it has no value */
TypeId inst_type(Library *lib, Instance *inst);
/* with the dimensions of all instances below base */
TypeId inst_type_below(Library *lib, Instance *inst, Instance *base);
TypeId inst_full_type(Library *lib, Instance *inst); /* with its own dimensions */
/* enumeration, Boolean or Integer; T_NONE if it is unknown */
TypeId inst_index_type(Library *lib, const Instance *inst, uint32_t dim);

/* unlike_elements.c: arrays of components whose elements differ in structure */
/* A structural value differs along the dimensions [from, to) of the arrays around inst: notes these
 * arrays. False if that has been done already. */
bool inst_differs(Library *lib, const Instance *inst, uint32_t from, uint32_t to);
/* The elements of an array that was noted; NULL for others. */
Instance **inst_elements(Library *lib, Instance *inst);
void inst_subscripts(const Instance *element, int32_t *subs); /* size array->rank, from 1 */
/* The instances of a component: its elements if they differ, otherwise itself. NULL after the last.
 */
Instance *inst_part(Instance *inst, uint32_t k);
/* The components of inst that are numbered, in order, each as its parts. NULL at the end. */
typedef struct PartCursor {
    uint32_t child, part;
} PartCursor;
Instance *inst_next(const Instance *inst, PartCursor *at);
TypeId inst_common_type(Library *lib, Instance *array); /* of the elements; T_NONE after an error */
EvalStatus inst_elements_value(Library *lib, Instance *array, bool soft); /* sets array->value */
/* The part of a value for everything below `base` that belongs to the elements around `inst`. */
ExprId inst_chosen(NameScope *names, const Instance *inst, const Instance *base, ExprId e,
                   Span span);

/* value.c: evaluation */
typedef enum NameMode { NAMES_STRUCTURAL, NAMES_FLAT } NameMode;

/* The present element of an array whose elements differ, while a reference is evaluated for each of
 * them. */
typedef struct Choice {
    const AstRefPart *part;
    uint32_t element;
    const struct Choice *outer;
} Choice;

/* The data behind a TypeScope of the instance phase. */
struct NameScope {
    TypeScope type; /* first, so that a TypeScope is one of these */
    Library *lib;
    Scope scope;
    NameMode mode;
    Instance *function; /* the class whose components are OP_LOCAL; NULL in models */
    /* a function, or the class of a record constructor: everything below it is OP_LOCAL; mostly
     * NULL */
    Instance *locals;
    Instance *beginning; /* component of `locals` whose initial value is being typed */
    bool soft;           /* only constants, final and already evaluated parameters have values */
    /* not 0: the value of an attribute, which may read start values of others, so many deep */
    unsigned in_attribute;
    const Choice *choices; /* innermost first */
    /* `locals` is the class of a record constructor: the values of its fields */
    TypeFields *fields;
};

NameScope name_scope(Library *lib, Scope scope, NameMode mode);
EvalStatus inst_value(Library *lib, Instance *inst, bool soft); /* sets inst->value */
EvalStatus inst_evaluate(NameScope *names, ExprId e, Span span, const char *what, Value *out);
/* Types and evaluates an expression of the scope. EVAL_OK or reported (unless optional). */
EvalStatus inst_evaluate_ast(Library *lib, Scope scope, const AstExpr *e, TypeId want,
                             const char *what, bool optional, Value *out);
/* The value of a component, from its own modifier or that of a record around it. It is typed in its
 * scope, with the dimensions below *base. EXPR_NONE if there is none, or after an error (*failed).
 */
ExprId inst_binding(Library *lib, Instance *inst, NameMode mode, Instance **base, Span *span,
                    bool *failed);
/* The value of a modifier for an array or scalar of this type, in the scope of `names`. With
 * --compatible, one value without `each` is for all elements. EXPR_NONE after an error. */
ExprId inst_modifier_value(NameScope *names, const Modifier *m, TypeId want, const char *what);
EvalStatus ref_value(Library *lib, Instance *inst, uint32_t skip, bool soft, Value *out);
EvalStatus inst_element_value(Library *lib, Instance *inst, uint64_t element, bool soft,
                              Value *out);
ExprId field_of(Graph *g, ExprId record, uint32_t field);

/* variable_numbers.c */
/* Numbers the variables and components below root. Calls `numbered` for each component, after its
 * own components. False if there are too many, or if the model is to be instantiated again. */
bool inst_number_variables(Library *lib, Instance *root,
                           void (*numbered)(void *user, Instance *component), void *user);

/* resolve.c: references */
/* field_of in the instance phase: for a component that is a record, only the component of the field
 * needs a value. */
ExprId structural_field(Library *lib, ExprId e, uint32_t field);
ExprId resolve_ref(TypeScope *scope, const AstRef *ref);
TypeCallee resolve_callee(TypeScope *scope, const AstRef *ref);
/* in Flat: the element of inst whose first variable is `at` */
ExprId inst_expr(Library *lib, Instance *inst, uint32_t at);

/* A reference to components followed to its end. */
typedef struct RefPart {
    Instance *inst;
    bool has_subs;
    ExprId subs[8]; /* size inst->rank: subscripts, OP_COLON if not given */
} RefPart;

/* The first part that is an array whose elements differ and that means several of them. */
typedef struct Fan {
    /* NULL for none; otherwise it and the following parts are those of the first element */
    Instance *array;
    const AstRefPart *part;
    uint32_t at;    /* number among the parts */
    ExprId subs[8]; /* size array->rank */
} Fan;

typedef struct RefTarget {
    RefPart *parts; /* from the first component on */
    uint32_t n;
    Instance *owner; /* in which parts[0] was found */
    bool is_absent;  /* passes through a component whose condition is false */
    Fan fan;
    /* for references other than components: literal of an enumeration, time; otherwise EXPR_NONE */
    ExprId value;
    RefPart room[6]; /* room for a few parts: a RefTarget is not copied */
} RefTarget;

bool resolve_components(NameScope *names, const AstRef *ref, RefTarget *out, Arena *arena);
/* One component that is not a variable: its instance and its number in Flat. */
typedef struct RefComponent {
    Instance *inst;
    uint32_t comp;
} RefComponent;
/* False after an error. */
bool resolve_component(NameScope *names, const AstRef *ref, RefComponent *out);
uint32_t resolve_component_number(TypeScope *scope, const AstRef *ref);
TypeId resolve_index_type(TypeScope *scope, const AstRef *ref, uint32_t part, uint32_t dim);
ExprId resolve_extent(TypeScope *scope, const AstRef *ref);

/* function_inputs.c: functions that take functions */
typedef VEC(FnVar) FnVarList;

bool inst_is_function_input(const Instance *inst); /* of a component of a function */
void special_inputs(Library *lib, Instance *fn, FnVarList *vars);
bool special_callee(const NameScope *names, const AstRef *ref,
                    TypeCallee *out);                             /* `ref` names a function given */
bool generic_callee(Library *lib, Instance *fn, TypeCallee *out); /* `fn` takes functions */

/* expandable_elements.c: elements of expandable connectors */
bool class_is_expandable(const Class *c);
/* Adds a component of the given type and sizes to an expandable connector. */
void inst_augment(Library *lib, Instance *inst, Name name, Instance *type, const int64_t *dims,
                  uint32_t n, Span span);
/* Makes a dimension of an added element at least n; true if it was smaller. */
bool inst_grow(Library *lib, Instance *inst, uint32_t dim, int64_t n);
/* The sizes of an element that was declared without them; n = inst->rank. */
void inst_set_dims(Library *lib, Instance *inst, const int64_t *dims, uint32_t n);
/* The class that a component was declared with; NULL after an error. */
Instance *inst_type_class(Library *lib, Instance *inst);

/* record_defaults.c */
typedef VEC(Stmt) Stmts;
/* A reference to something below names->locals; false for others. */
bool record_local(NameScope *names, const RefTarget *t, Span span, ExprId *out);
/* The default of a field of a constructor, and a size of it. EXPR_NONE if it has none. */
ExprId record_default(TypeScope *scope, TypeId record, uint32_t field, TypeFields *fields,
                      void *class_);
ExprId record_size(TypeScope *scope, TypeId record, uint32_t field, uint32_t dim,
                   TypeFields *fields, void *class_);

/* The value of a record variable of a function from the values of its fields; EXPR_NONE if one
 * has none. */
ExprId record_initial(Library *lib, Instance *fn, Instance *var);
/* Adds assignments to those fields of a record variable that have values, unless all of them do. */
void record_begin(Library *lib, Instance *fn, Instance *var, Stmts *out);

/* operator_records.c: chapter 14 */
/* The class that defines the operators of c, itself or one that c is short for; or NULL. */
Class *operator_record_of(Library *lib, Class *c);
void operator_record_note(Library *lib, TypeId type, Class *base);
TypeOperators resolve_operators(TypeScope *scope, TypeId record, const char *name);

/* function.c */
Function *inst_function(Library *lib, Instance *inst, Span span); /* NULL after an error */
NameScope function_scope(Library *lib, Instance *fn, Layer *layer);

/* external_functions.c: sections 12.9 and 12.9.7 */
void type_external_body(Library *lib, Instance *fn, Layer *layer, Function *f);
/* Why external code of the function is not called; NULL: it is. user: the Library. */
const char *external_refusal(void *user, const Function *f);
/* Gives a function of ModelicaServices that Kairos implements its body; false for other functions.
 */
bool type_service(Library *lib, const Class *c, Function *f);
/* The constructor of a class of external objects, with its destructor. NULL after an error. */
Function *external_constructor(Library *lib, Instance *object, Span span);

/* function_annotations.c: derivative, inverse, Inline, … of a function */
void type_annotations(Library *lib, Instance *fn, Function *f);

#endif
