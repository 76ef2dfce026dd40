/* A finished event in the words of the model: for logs, tools and reports. */
#ifndef SIM_STATE_EVENT_RECORD_H
#define SIM_STATE_EVENT_RECORD_H

#include "base/source.h"
#include "runtime/model.h"

typedef enum RecordedKind {
    RECORDED_NOTHING,
    RECORDED_NUMBER,
    RECORDED_BOOL,
    RECORDED_TEXT
} RecordedKind;

typedef struct RecordedValue {
    RecordedKind kind;
    double number; /* of a Boolean: 0 or 1 */
    const char *text;
} RecordedValue;

typedef enum TriggerKind {
    TRIGGER_SAMPLE,
    TRIGGER_DELAY, /* a delayed jump arrives */
    TRIGGER_TIME,  /* a relation of time */
    TRIGGER_RELATION
} TriggerKind;

typedef struct RecordedTrigger {
    TriggerKind kind;
    const char *component; /* "plant.pump" */
    Span span;
    const char *text; /* of a sample "", and no value */
    RecordedValue value;
    double z;               /* of a relation at the instant */
    double start, interval; /* of a sample */
    uint32_t n_samples;     /* that tick together */
} RecordedTrigger;

typedef struct RecordedChange {
    const char *name;
    RecordedValue from, to;
} RecordedChange;

typedef struct RecordedGuard {
    const char *name;
    RecordedValue value;
} RecordedGuard;

typedef struct RecordedTexts {
    const char **at;
    uint32_t n;
} RecordedTexts;

/* The mode that begins. */
typedef struct RecordedMode {
    RecordedGuard *guards;
    uint32_t n_guards;
    RecordedTexts states;
    RecordedTexts differentiated; /* equations */
    RecordedTexts splits;         /* variables that a singular block leaves open */
    RecordedChange *jumps;
    uint32_t n_jumps;
} RecordedMode;

typedef struct EventRecord {
    double time;
    bool initial, terminal;
    RecordedTrigger *triggers;
    uint32_t n_triggers;
    RecordedChange *changes; /* of discrete variables */
    uint32_t n_changes;
    RecordedChange *reinits;
    uint32_t n_reinits;
    const RecordedMode *mode; /* NULL: it stays */
    uint32_t iterations;
    MixedMethod mixed; /* that settled a block with discrete unknowns; MIXED_AUTO: there was none */
    uint32_t turns;    /* it took */
} EventRecord;

#endif
