/* Shared by the rooms of the flatten phase. */
#include "flatten/flattener/flattener.h"

ExprId *slot_of(FlatVar *v, Slot slot)
{
    switch (slot) {
    case SLOT_BINDING: return &v->binding;
    case SLOT_START: return &v->start;
    case SLOT_FIXED: return &v->fixed;
    case SLOT_MIN: return &v->min;
    case SLOT_MAX: return &v->max;
    case SLOT_NOMINAL: return &v->nominal;
    case SLOT_COUNT: break;
    }
    return NULL;
}
