/* Surfaces that are held: shared by sliding.c, which begins and ends them, filippov.c, which finds
 * the motion along them, and impact.c. */
#ifndef SIM_SLIDING_SURFACES_H
#define SIM_SLIDING_SURFACES_H

#include "sim/sliding/sliding.h"

typedef struct Flip { /* a discrete variable that differs between the sides */
    VarId var;
    /* the side on which the relation is false, and the side on which it is true */
    double low, high;
} Flip;

typedef struct SlidingSurface {
    bool rest;
    uint32_t relation;   /* its z is the surface */
    uint32_t *relations; /* all that are not watched meanwhile */
    uint32_t n_relations;
    int degree; /* 1: the control enters z'; 2: z'' */
    /* 0, or half the width in z of a layer in which the relation is taken literally: there its
     * sides are mixed by z alone */
    double layer;
    bool passed; /* z has left the layer */
    /* on trial: the motion leaves the surface to one side, which u says */
    bool pinned;
    double *direction; /* rest: size n */
    /* size n: z grows by 1 along it. Only if the control enters z' beside the surface but not on
     * it, as in super-twisting: derivatives are then those on the surface. Otherwise NULL */
    double *normal;
    /* the control enters z' by an effect that vanishes at the intersection of z = 0 and z' = 0, as
     * in Fuller's problem: z' is that of the equivalent control */
    bool middle;
    Flip *flips; /* sliding */
    uint32_t n_flips;
    bool side;         /* the relation's value meanwhile */
    double u, free;    /* applied and equivalent control */
    double begin, gap; /* when it began; between events then */
    double age;        /* of the run then */
    double pull;       /* least rate at which deviations vanish then; it falls with the age */
    uint32_t group;    /* sliding: those of one number mix as a product, different ones as a sum */
    uint32_t bit;      /* its place within the group */
} SlidingSurface;

/* A valuation of the sides: those of one group as `bits` says, all others false. */
typedef struct Corner {
    uint32_t group, bits;
    double *f;     /* derivatives there */
    double weight; /* for the present controls */
} Corner;

typedef struct Sliding {
    SlidingSurface *at; /* room for all relations */
    uint32_t n;
    Corner *corners;            /* the first has all sides false */
    uint32_t n_corners, n_made; /* in use; made so far, with room for f */
    uint32_t room;              /* surfaces for which there is: */
    double *a, *copy, *b;       /* matrix of effects, right side */
    double *d[6];               /* of all surfaces: values at displaced points, derivatives */
    double *sum;                /* mixed derivatives */
    double *g;                  /* a direction */
    double *x, *x2;             /* displaced states */
    /* the state, and a displaced one, put onto the surfaces that have a normal */
    double *on, *on_displaced;
    bool extended;        /* controls may leave their range */
    double shorter;       /* strides of differences are multiplied by it: 1, except in trials */
    double *at_surfaces;  /* z of all surfaces at a state to be put there */
    double *f2, *f3, *f4; /* derivatives at a displaced point; work */
    double *z;            /* all crossing functions */
    double *v, *values;   /* mixed values, work; size n_vars */
    /* per relation: the direction in which its impacts move the states; NULL if there were none
     */
    double **push;
    bool *reported[2]; /* per relation: a slide, a rest was reported */
    double *unmixed;   /* size n_vars: the contents of v before mixed values were written to it */
    bool mixed;        /* they are there */
} Sliding;

/* ---- filippov.c ---- */
void filippov_create(ModeProgram *prog);
/* evaluations are mixed while surfaces are held, or plain */
void filippov_enable(ModeProgram *prog, bool mixed);
/* finds the group of surface j, the last; false if too many are coupled */
bool filippov_join(ModeProgram *prog, uint32_t j);
void filippov_arrange(ModeProgram *prog);        /* after surfaces came or went */
void filippov_restore_values(ModeProgram *prog); /* plain values back into v */
void filippov_present(
    ModeProgram *prog); /* discrete variables as the sides of the surfaces have them */
/* equivalent and applied controls, mixed derivatives */
int filippov_control(ModeProgram *prog, double t, const double *x);
/* 1 if control j enters z', 2 if it enters z'', 0 if neither */
int filippov_degree(ModeProgram *prog, uint32_t j);
/* Whether the control of surface j, which entered z', has no effect on it any more at x. */
bool filippov_degenerates(ModeProgram *prog, uint32_t j, const double *x);
/* Moves x along the direction of rest j until it stops at the surface; returns the lost speed. */
double filippov_settle(ModeProgram *prog, uint32_t j);
/* Puts x onto surface j if it is within some tolerances of it; if of second degree, z' to zero too.
 */
void filippov_project(ModeProgram *prog, uint32_t j);
/* derivatives with nothing held, into v and f, which may be NULL */
int filippov_plain(ModeProgram *prog, double t, const double *x, double *f);
/* over which differences along g are taken */
double filippov_stride(const ModeProgram *prog, const double *x, const double *g);

/* z of relation k at (t, x), with nothing held. */
int filippov_crossing(ModeProgram *prog, uint32_t k, double t, const double *x, double *z);
bool filippov_same_surface(ModeProgram *prog, uint32_t a,
                           uint32_t b); /* two relations, at (time, x) */
/* Derivative of it along (1, f), by differences. */
int filippov_rate(ModeProgram *prog, uint32_t k, double t, const double *x, const double *f,
                  double *out);
/* The same along the motion from (t, x) with the held surfaces; the derivatives go to f. */
int filippov_speed(ModeProgram *prog, uint32_t k, double t, const double *x, double *f,
                   double *out);

/* ---- sliding.c ---- */
void sliding_drop(ModeProgram *prog, struct Locator *locator, uint32_t j);

#endif
