#include "expr/ops.h"

const OpTraits op_traits[OP_COUNT] = {
    [OP_NONE] = {.text = "none"},
#define X(op, text_, args_, class_, behaviour_)                                                    \
    [OP_##op] = {                                                                                  \
        .text = text_, .args = args_, .class = CLASS_##class_, .behaviour = VALUE_##behaviour_},
#define F1(op, text_, class_, behaviour_, c_, kernel, units_, ...)                                 \
    [OP_##op] = {.text = text_,                                                                    \
                 .args = 1,                                                                        \
                 .class = CLASS_##class_,                                                          \
                 .behaviour = VALUE_##behaviour_,                                                  \
                 .units = UNITS_##units_,                                                          \
                 .c = #c_},
#define F2(op, text_, class_, behaviour_, c_, kernel, units_)                                      \
    [OP_##op] = {.text = text_,                                                                    \
                 .args = 2,                                                                        \
                 .class = CLASS_##class_,                                                          \
                 .behaviour = VALUE_##behaviour_,                                                  \
                 .units = UNITS_##units_,                                                          \
                 .c = #c_},
#include "expr/ops.def"
};
