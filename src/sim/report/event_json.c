/* EventRecord -> a line of JSON. */
#include "sim/report/event_words.h"

#include "sim/message/message.h"

#include <math.h>

static void put_number(Text *t, double value)
{
    if (isfinite(value))
        text_put_real(t, value);
    else
        text_put(t, "null");
}

static void put_value(Text *t, RecordedValue value)
{
    if (value.kind == RECORDED_BOOL)
        text_put(t, value.number != 0 ? "true" : "false");
    else if (value.kind == RECORDED_TEXT)
        text_put_json(t, value.text);
    else
        put_number(t, value.number);
}

static void put_place(Text *t, const Sources *sources, const char *component, Span span)
{
    text_put(t, ",\"component\":");
    text_put_json(t, component);
    if (span.file) {
        Place place = source_place(sources, span);
        text_put(t, ",\"file\":");
        text_put_json(t, place.path);
        text_printf(t, ",\"line\":%u", place.line);
    }
}

static void put_sample(Text *t, const RecordedTrigger *trigger)
{
    text_put(t, "{\"kind\":\"sample\",\"start\":");
    put_number(t, trigger->start);
    text_put(t, ",\"interval\":");
    put_number(t, trigger->interval);
    text_printf(t, ",\"samples\":%u", trigger->n_samples);
}

static void put_relation(Text *t, const RecordedTrigger *trigger)
{
    static const char *const kinds[] = {
        [TRIGGER_DELAY] = "delay", [TRIGGER_TIME] = "time", [TRIGGER_RELATION] = "relation"};
    text_printf(t, "{\"kind\":\"%s\",\"text\":", kinds[trigger->kind]);
    text_put_json(t, trigger->text);
    text_put(t, ",\"value\":");
    put_value(t, trigger->value);
    text_put(t, ",\"z\":");
    put_number(t, trigger->z);
}

static void put_triggers(Text *t, const Sources *sources, const EventRecord *record)
{
    for (uint32_t i = 0; i < record->n_triggers; i++) {
        const RecordedTrigger *trigger = &record->triggers[i];
        text_put(t, i ? "," : "");
        if (trigger->kind == TRIGGER_SAMPLE)
            put_sample(t, trigger);
        else
            put_relation(t, trigger);
        put_place(t, sources, trigger->component, trigger->span);
        text_put(t, "}");
    }
}

static void put_changes(Text *t, const RecordedChange *changes, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        text_printf(t, "%s{\"name\":", i ? "," : "");
        text_put_json(t, changes[i].name);
        text_put(t, ",\"old\":");
        put_value(t, changes[i].from);
        text_put(t, ",\"new\":");
        put_value(t, changes[i].to);
        text_put(t, "}");
    }
}

static void put_texts(Text *t, RecordedTexts texts)
{
    for (uint32_t i = 0; i < texts.n; i++) {
        text_put(t, i ? "," : "");
        text_put_json(t, texts.at[i]);
    }
}

static void put_mode(Text *t, const RecordedMode *mode)
{
    text_put(t, ",\"mode\":{\"guards\":[");
    for (uint32_t i = 0; i < mode->n_guards; i++) {
        text_printf(t, "%s{\"name\":", i ? "," : "");
        text_put_json(t, mode->guards[i].name);
        text_put(t, ",\"value\":");
        put_value(t, mode->guards[i].value);
        text_put(t, "}");
    }
    text_put(t, "],\"states\":[");
    put_texts(t, mode->states);
    text_put(t, "],\"differentiated\":[");
    put_texts(t, mode->differentiated);
    text_put(t, "],\"splits\":[");
    put_texts(t, mode->splits);
    text_put(t, "],\"jumps\":[");
    put_changes(t, mode->jumps, mode->n_jumps);
    text_put(t, "]}");
}

void event_put_json(Text *t, const Sources *sources, const EventRecord *record)
{
    text_put(t, "{\"time\":");
    put_number(t, record->time);
    if (record->initial || record->terminal)
        text_printf(t, ",\"%s\":true", record->initial ? "initial" : "terminal");
    text_put(t, ",\"triggers\":[");
    put_triggers(t, sources, record);
    text_put(t, "],\"changes\":[");
    put_changes(t, record->changes, record->n_changes);
    text_put(t, "],\"reinits\":[");
    put_changes(t, record->reinits, record->n_reinits);
    text_put(t, "]");
    if (record->mode)
        put_mode(t, record->mode);
    text_printf(t, ",\"iterations\":%u", record->iterations);
    if (record->mixed != MIXED_AUTO)
        text_printf(t, ",\"mixed\":\"%s\",\"turns\":%u", event_mixed_name(record->mixed),
                    record->turns);
    text_put(t, "}");
}

void event_put_literal_json(Text *t, ModeProgram *prog, const PlanLiteralPlaces *places)
{
    text_put(t, "{\"time\":");
    put_number(t, prog->run->options->start);
    text_put(t, ",\"withoutEvents\":[");
    for (uint32_t i = 0; i < places->n; i++) {
        text_printf(t, "%s{\"equations\":%u", i ? "," : "", places->at[i].n);
        put_place(t, prog->run->ctx->sources, describe_path(prog, places->at[i].component),
                  places->at[i].span);
        text_put(t, "}");
    }
    text_put(t, "]}");
}
