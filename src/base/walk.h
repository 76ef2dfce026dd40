/* The answer of a visit to the walker that called it; shared by all walkers. */
#ifndef BASE_WALK_H
#define BASE_WALK_H

typedef enum Walk {
    WALK_ON,
    WALK_PAST, /* skip the children */
    WALK_END,  /* nothing more is visited */
} Walk;

#endif
