/* kairos study: many runs of one model, described by a file. */
#include "session.h"
#include "study.h"

#include <cjson/cJSON.h>
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct StudyOptions {
    Options common;
    unsigned jobs;
    bool fresh, summary, slurm, dry_run, wait;
    const char *plot, *time, *partition, *part_text;
    unsigned nodes, tasks, array;
    uint64_t part, n_parts;
} StudyOptions;

/* ---- the model ---- */

static bool is_class(const char *name)
{
    return !ends_in(name, ".mo") && !ends_in(name, ".dym") && !ends_in(name, ".om") &&
           access(name, R_OK) != 0;
}

static KairosModel *compile(Kairos *k, const Study *s, const Options *o, int *status)
{
    for (unsigned i = 0; i < s->n_libraries; i++)
        kairos_add_library(k, s->libraries[i]);
    add_libraries(k, o);
    bool class = is_class(s->model);
    *status = class ? KAIROS_OK : kairos_load_file(k, s->model);
    if (*status)
        return NULL;
    KairosCompile how = {.size = sizeof how, .expected = s->settings, .n_expected = s->n_settings};
    KairosModel *m = kairos_compile_model(k, class ? s->model : s->class_name, &how);
    *status = m ? KAIROS_OK : kairos_compile_status(k);
    return m;
}

/* Results depend on all files of the model, also on those of libraries: on its flat text. */
static void hash_model(Kairos *k, Study *s)
{
    char *text =
        kairos_dump_phase(k, is_class(s->model) ? s->model : s->class_name, "flatten", NULL);
    if (text)
        s->hash = study_hash(s->hash, text, strlen(text));
    kairos_free_text(text);
}

static double bound(const cJSON *parameter, const char *name, double none)
{
    const cJSON *value = cJSON_GetObjectItemCaseSensitive(parameter, name);
    return cJSON_IsNumber(value) ? value->valuedouble : none;
}

static void find_bounds(Study *s, const cJSON *list)
{
    const cJSON *one;
    cJSON_ArrayForEach(one, list)
    {
        const char *name = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(one, "name"));
        for (unsigned k = 0; name && k < s->n_factors; k++)
            if (!strcmp(s->factors[k].name, name)) {
                s->factors[k].low = bound(one, "min", -INFINITY);
                s->factors[k].high = bound(one, "max", INFINITY);
            }
    }
}

/* Kept names and trajectories are variables of the model. */
static bool check_names(const Study *s, const cJSON *variables)
{
    int n = cJSON_GetArraySize(variables), i = 0;
    const char **names = calloc((size_t)n + 1, sizeof *names);
    const cJSON *one;
    names[i++] = "time";
    cJSON_ArrayForEach(one, variables)
    {
        const char *name = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(one, "name"));
        names[i++] = name ? name : "";
    }
    bool ok = keep_check(s, names, (size_t)i);
    for (unsigned t = 0; t < s->n_trajectories; t++) {
        bool known = false;
        for (int k = 0; k < i; k++)
            known |= !strcmp(names[k], s->trajectories[t]);
        const char *near = known ? NULL : study_nearest(s->trajectories[t], names, (size_t)i);
        if (!known)
            fprintf(stderr, "kairos: %s: trajectories: the model has no variable '%s'%s%s%s\n",
                    s->path, s->trajectories[t], near ? "; did you mean '" : "", near ? near : "",
                    near ? "'?" : "");
        ok &= known;
    }
    free(names);
    return ok;
}

static void ignore(void *user, const char *name, double value)
{
    (void)user;
    (void)name;
    (void)value;
}

/* Options, and the names and values of the settings of the first point. */
static int check_first(KairosModel *m, const Study *s)
{
    KairosSetting settings[s->n_settings + s->n_factors + 1];
    char texts[s->n_factors + 1][32];
    unsigned n = point_settings(s, 0, settings, texts);
    KairosRun run = {.size = sizeof run,
                     .start_time = s->has_start ? &s->start : NULL,
                     .stop_time = s->has_stop ? &s->stop : NULL,
                     .solver = s->solver,
                     .tolerance = s->tolerance,
                     .step = s->step,
                     .intervals = s->intervals,
                     .settings = settings,
                     .n_settings = n,
                     .on_final = ignore};
    return kairos_name_finals(m, &run);
}

static bool check_times(KairosModel *m, const Study *s)
{
    double start, stop;
    kairos_model_times(m, &start, &stop);
    start = s->has_start ? s->start : start;
    if (!s->has_stop || s->stop >= start)
        return true;
    fprintf(stderr, "kairos: %s: the stop time %g is before the start time %g\n", s->path, s->stop,
            start);
    return false;
}

static int check_study(KairosModel *m, Study *s)
{
    int status = check_times(m, s) ? check_first(m, s) : KAIROS_USE_ERROR;
    char *text = status ? NULL : kairos_describe_model(m);
    cJSON *model = text ? cJSON_Parse(text) : NULL;
    find_bounds(s, cJSON_GetObjectItemCaseSensitive(model, "parameters"));
    find_bounds(s, cJSON_GetObjectItemCaseSensitive(model, "starts"));
    bool ok = !status && check_names(s, cJSON_GetObjectItemCaseSensitive(model, "variables")) &&
              design_check_bounds(s) && (!s->h5 || hdf5_load());
    cJSON_Delete(model);
    kairos_free_text(text);
    return ok ? KAIROS_OK : KAIROS_USE_ERROR;
}

/* ---- the command ---- */

typedef struct Preparation {
    const StudyOptions *o;
    Study *s;
} Preparation;

static int prepare(void *user, RunHow *how)
{
    const Preparation *p = user;
    how->session = kairos_open();
    if (!how->session)
        return KAIROS_FAILED;
    int status;
    how->model = compile(how->session, p->s, &p->o->common, &status);
    if (!status)
        status = check_study(how->model, p->s);
    if (!status) {
        hash_model(how->session, p->s);
        kairos_clear_messages(how->session);
    }
    return status;
}

static int run_here(const StudyOptions *o, Study *s)
{
    RunHow how = {.jobs = o->jobs,
                  .quiet = o->common.quiet,
                  .progress = !o->common.quiet && isatty(STDERR_FILENO),
                  .fresh = o->fresh,
                  .part = o->part,
                  .n_parts = o->n_parts};
    Preparation p = {o, s};
    int status;
    if (mpi_wanted() && !o->n_parts)
        status = mpi_run(s, &how, prepare, &p);
    else if (!(status = prepare(&p, &how)))
        status = study_run(s, &how);
    kairos_free_model(how.model);
    if (status && how.session)
        return finish(how.session, &o->common, status);
    kairos_close(how.session);
    return status;
}

static int run_or_submit(const StudyOptions *o, Study *s)
{
    if (o->summary)
        return summary_print(s, o->plot);
    if (!o->slurm)
        return run_here(o, s);
    const SlurmHow how = {.nodes = o->nodes,
                          .tasks = o->tasks,
                          .array = o->array,
                          .time = o->time,
                          .partition = o->partition,
                          .dry_run = o->dry_run,
                          .fresh = o->fresh,
                          .libraries = o->common.libraries.at,
                          .n_libraries = o->common.libraries.n,
                          .at_once = o->wait};
    return slurm_submit(s, &how);
}

/* --part 3/8 */
static bool parse_part(StudyOptions *o)
{
    char *end;
    o->part = strtoull(o->part_text, &end, 10);
    o->n_parts = *end == '/' ? strtoull(end + 1, &end, 10) : 0;
    return !*end && isdigit((unsigned char)*o->part_text) && o->part && o->part <= o->n_parts;
}

/* Options that another one needs. */
static const char *misplaced(const StudyOptions *o)
{
    if (!o->slurm &&
        (o->nodes || o->tasks || o->array || o->time || o->partition || o->wait || o->dry_run))
        return "--nodes, --tasks, --array, --time, --partition, --no-wait and --dry-run need "
               "--slurm";
    if (o->plot && !o->summary)
        return "--plot needs --summary";
    if (o->summary && (o->slurm || o->part_text || o->fresh))
        return "--summary describes a complete study; it goes without --slurm, --part and --fresh";
    if (o->slurm && o->part_text)
        return "--slurm goes without --part; --array N divides a study into parts";
    return o->nodes > 1 && o->array ? "--array has jobs of one node each, without --nodes" : NULL;
}

static int study(Options *common)
{
    StudyOptions *o = (StudyOptions *)common;
    if (common->arguments.n != 1)
        return usage("study needs one file, such as study.yaml");
    if (misplaced(o))
        return usage(misplaced(o));
    if (o->part_text && !parse_part(o))
        return usage("--part is the number of a part and their number, such as 3/8");
    Study *s = study_read(common->arguments.at[0]);
    int status = s ? run_or_submit(o, s) : KAIROS_USE_ERROR;
    study_free(s);
    return status;
}

static const Option study_options[] = {
    {"--jobs", "N", "number of points at the same time; default: the number of cores", OPT_COUNT,
     TO(StudyOptions, jobs)},
    {"--fresh", NULL, "discard the finished points of an interrupted study", OPT_FLAG,
     TO(StudyOptions, fresh)},
    {"--part", "K/N", "run only part K of N; the process that ends last writes the result",
     OPT_TEXT, TO(StudyOptions, part_text),
     .manual = "For schedulers that start programs of their own: parts may run at the same time on "
               "machines that share the folder of the output."},
    {"--summary", NULL, "describe the results of a complete study instead of running it", OPT_FLAG,
     TO(StudyOptions, summary),
     .manual = "Prints failures, distributions, and how the kept values depend on the factors, "
               "with 95 % intervals."},
    {"--plot", "FILE", "with --summary: also draw it, as a page with pictures (.html)", OPT_TEXT,
     TO(StudyOptions, plot), .files = "html"},
    {"--slurm", NULL, "submit the study to Slurm, and wait for it", OPT_FLAG,
     TO(StudyOptions, slurm)},
    {"--nodes", "N", "with --slurm: number of nodes; default 1", OPT_COUNT,
     TO(StudyOptions, nodes)},
    {"--tasks", "N", "with --slurm: processes on each node; default: one for each core", OPT_COUNT,
     TO(StudyOptions, tasks)},
    {"--array", "N", "with --slurm: an array of N jobs of one node each instead of one job",
     OPT_COUNT, TO(StudyOptions, array),
     .manual = "Jobs of an array start as nodes become free, and need no MPI. Each runs a part of "
               "the points; the last one writes the result."},
    {"--time", "T", "with --slurm: time limit, such as 2:00:00", OPT_TEXT, TO(StudyOptions, time)},
    {"--partition", "NAME", "with --slurm: partition", OPT_TEXT, TO(StudyOptions, partition)},
    {"--no-wait", NULL, "with --slurm: return when the job is submitted", OPT_FLAG,
     TO(StudyOptions, wait)},
    {"--dry-run", NULL, "with --slurm: print the script and submit nothing", OPT_FLAG,
     TO(StudyOptions, dry_run)},
    {0},
};

const Command command_study = {
    .name = "study",
    .arguments = "STUDY.yaml [OPTION...]",
    .summary = "run a model for many values: designs, distributions, clusters",
    .text = "Runs the model of a study for all points of its design, on all cores, and keeps the "
            "values that the file names: FILE.h5 and FILE.csv with a row for each point. "
            "docs/studies.md describes the file.\n\n"
            "Finished points are safe. If the study is interrupted, the same command continues it, "
            "and the result is that of a study without interruption.",
    .manual = "Under mpirun or srun, all processes work on one study.",
    .run = study,
    .size = sizeof(StudyOptions),
    .options = {study_options, library_options, common_options},
    .examples = ENTRIES(
        {"kairos study ball.yaml", "Run the study, or continue it."},
        {"kairos study ball.yaml --summary --plot ball.html", "Print and draw the results."},
        {"mpirun -n 64 kairos study ball.yaml", "Run it with 64 processes."},
        {"kairos study ball.yaml --slurm --nodes 4 --time 1:00:00", "Submit it to Slurm."}),
    .files = "yaml yml json",
};
