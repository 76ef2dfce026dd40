/* The event log of a run. */
#include "server.h"

#include <math.h>
#include <stdlib.h>

const char *event_text(const Run *run, uint32_t i, size_t *n)
{
    const Lines *l = &run->events;
    *n = (i + 1 < l->starts.n ? l->starts.at[i + 1] : l->text.n) - l->starts.at[i];
    return l->text.at + l->starts.at[i];
}

double event_time(const Run *run, uint32_t i)
{
    size_t n;
    const char *text = event_text(run, i, &n);
    cJSON *event = cJSON_ParseWithLength(text, n);
    double time = json_number(event, "time");
    cJSON_Delete(event);
    return time;
}

/* The first event at or after a time. */
static uint32_t event_from(const Run *run, double time)
{
    uint32_t low = 0, high = run->events.starts.n;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (event_time(run, middle) < time)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* "file" is "path" for pages, and within the workspace relative to it. */
static void put_event(Text *t, const Studio *s, const char *text, size_t n)
{
    static const char key[] = "\"file\":\"";
    size_t key_size = sizeof key - 1, place = strlen(s->workspace.place);
    while (n) {
        const char *at = memmem(text, n, key, key_size);
        size_t before = at ? (size_t)(at - text) : n;
        text_put_n(t, text, before);
        text += before;
        n -= before;
        if (!at)
            break;
        text_put(t, "\"path\":\"");
        text += key_size;
        n -= key_size;
        if (n > place && !strncmp(text, s->workspace.place, place) && text[place] == '/') {
            text += place + 1;
            n -= place + 1;
        }
    }
}

/* `count` events from number `from` on, or from the first one at or after the time `at`. */
void runs_events(Studio *s, Request *r)
{
    Run *run = run_meant(s, r, "run");
    if (!run)
        return;
    double from = arg_number(r, "from", 0), count = arg_number(r, "count", 1000);
    uint32_t first = from > 0 ? (uint32_t)fmin(from, 4e9) : 0, total = run->events.starts.n;
    double at = arg_number(r, "at", (double)NAN);
    first = isnan(at) ? first : event_from(run, at);
    uint32_t n = count > 0 ? (uint32_t)fmin(count, 10000) : 0;
    Text t = {0};
    text_printf(&t, "{\"total\":%u,\"first\":%u,\"events\":[", total, first);
    for (uint32_t i = first; i < total && i - first < n; i++) {
        size_t size;
        const char *text = event_text(run, i, &size);
        text_put(&t, i > first ? "," : "");
        put_event(&t, s, text, size);
    }
    text_printf(&t, "],\"capped\":%s}", run->events_capped ? "true" : "false");
    request_json(r, 200, &t);
}
