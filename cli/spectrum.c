#include "session.h"

#include <stdio.h>

typedef struct SpectrumOptions {
    Options common;
    double from, to, frequency, period;
    bool has_from, has_to, window;
    unsigned harmonics;
    const char *plot;
} SpectrumOptions;

static bool is_json(const Options *o)
{
    return o->output && ends_in(o->output, ".json");
}

static int spectrum(Options *o)
{
    const SpectrumOptions *own = (const SpectrumOptions *)o;
    if (o->arguments.n < 2)
        return usage("spectrum needs a result file and a variable: RESULT VARIABLE...");
    if (own->frequency > 0 && own->period > 0)
        return usage("give --frequency or --period, not both");
    KairosSpectrum how = {.size = sizeof how,
                          .variables = o->arguments.at + 1,
                          .n_variables = o->arguments.n - 1,
                          .from = own->has_from ? &own->from : NULL,
                          .to = own->has_to ? &own->to : NULL,
                          .frequency = own->period > 0 ? 1 / own->period : own->frequency,
                          .harmonics = own->harmonics,
                          .window = own->window,
                          .plot = own->plot,
                          .format = is_json(o) || o->json ? KAIROS_JSON : KAIROS_TEXT};
    Kairos *k = kairos_open();
    char *report = NULL;
    int status = kairos_compute_spectrum(k, o->arguments.at[0], &how, &report);
    if (!status && report)
        status = put_output(o, report);
    if (!status && own->plot && !o->quiet)
        fprintf(stderr, "%s\n", own->plot);
    kairos_free_text(report);
    return finish(k, o, status);
}

static const Option spectrum_options[] = {
    {"--output", "FILE", "write the spectrum to this file; as JSON if it ends with .json", OPT_TEXT,
     TO(Options, output), .letter = "-o", .files = "json txt"},
    {"--plot", "FILE", "draw the spectrum: .svg, .png, .pdf or .html", OPT_TEXT,
     TO(SpectrumOptions, plot), .files = "svg png pdf html"},
    {"--frequency", "F", "frequency of the fundamental in Hz; default: it is found", OPT_REAL,
     TO(SpectrumOptions, frequency)},
    {"--period", "T", "period of the fundamental, instead of its frequency", OPT_REAL,
     TO(SpectrumOptions, period)},
    {"--from", "T", "begin of the interval; default: the first row", OPT_TIME,
     TO(SpectrumOptions, from), .given = offsetof(SpectrumOptions, has_from)},
    {"--to", "T", "end of the interval; default: the last row", OPT_TIME, TO(SpectrumOptions, to),
     .given = offsetof(SpectrumOptions, has_to)},
    {"--harmonics", "N", "number of harmonics, or of lines with a window; default 50", OPT_COUNT,
     TO(SpectrumOptions, harmonics)},
    {"--window", NULL, "use a Hann window, also if the variables are periodic", OPT_FLAG,
     TO(SpectrumOptions, window)},
    {0},
};

const Command command_spectrum = {
    .name = "spectrum",
    .arguments = "RESULT VARIABLE... [-o FILE]",
    .summary = "harmonics and distortion of results",
    .text = "Computes mean, RMS, harmonics and total harmonic distortion (THD) of variables over "
            "the last whole number of periods in the interval. If the variables do not repeat, it "
            "uses a Hann window over the interval and prints the lines.",
    .manual =
        "Fourier coefficients are integrals over the curve between the rows of the result. Rows "
        "need not be equally spaced, and jumps at events are exact. The rows must resolve the "
        "curve: simulate with --output-points dense if events are denser than the output "
        "points.\n\n"
        "Amplitudes are peak values. A phase is that of a cosine at time 0, in degrees. THD "
        "contains all harmonics, also those that are not printed.",
    .run = spectrum,
    .size = sizeof(SpectrumOptions),
    .options = {spectrum_options, common_options},
    .examples = ENTRIES({"kairos spectrum Rectifier.csv source.i --frequency 50",
                         "Print the harmonics of a current."},
                        {"kairos spectrum Buck.csv vC -o Buck.json --plot Buck.svg",
                         "Find the period, write JSON and draw."}),
    .files = "csv mat",
};
