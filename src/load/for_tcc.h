/* Calls of libtcc, which keeps its state in statics: they take turns.
 *
 * In:  an action that calls libtcc.  Out: whether it came to its end. libtcc does not survive a
 * lack of memory. The build therefore renames what it uses of the C library (cmake/Tcc.cmake) to
 * what is defined here, and an allocation that fails leaves the action. What libtcc was about is
 * lost, and its state with it: it is not called again in this process. Code that it made before
 * stays. */
#ifndef LOAD_FOR_TCC_H
#define LOAD_FOR_TCC_H

#include <stdbool.h>

/* The action must not allocate through base/memory.h: the turn would never end. */
bool for_tcc_take_turn(void (*action)(void *arg), void *arg);

#endif
