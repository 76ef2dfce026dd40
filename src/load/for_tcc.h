/* Calls of libtcc, which keeps its state in statics: calls take turns. In: an action that calls
 * libtcc. Out: whether it finished.
 *
 * libtcc cannot handle a lack of memory. The build renames the C functions that it uses
 * (cmake/Tcc.cmake) to those defined here, and a failed allocation leaves the action. The state of
 * libtcc is then lost, so it is not called again in this process. Earlier code stays valid. */
#ifndef LOAD_FOR_TCC_H
#define LOAD_FOR_TCC_H

#include <stdbool.h>

/* The action must not allocate through base/memory.h: the turn would never end. */
bool for_tcc_take_turn(void (*action)(void *arg), void *arg);

#endif
