/* Studies under Slurm: one job, with MPI if it has several nodes, or an array of jobs, submitted by
 * sbatch. The journal makes it safe to be requeued: the same command continues. */
#include "study.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static char *own_path(void)
{
    static char path[PATH_MAX];
    ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
    path[n > 0 ? n : 0] = 0;
    return path;
}

/* A word for the shell. */
static void put_word(FILE *f, const char *word)
{
    fputc('\'', f);
    for (; *word; word++)
        if (*word == '\'')
            fputs("'\\''", f);
        else
            fputc(*word, f);
    fputc('\'', f);
}

/* An array of at most as many jobs as Slurm allows. */
static unsigned array_size(unsigned wanted)
{
    unsigned most = 0;
    FILE *f = popen("scontrol show config 2> /dev/null", "r");
    char line[500];
    while (f && fgets(line, sizeof line, f))
        sscanf(line, "MaxArraySize = %u", &most);
    if (f)
        pclose(f);
    if (most < 2 || wanted < most) /* numbers are below MaxArraySize */
        return wanted;
    fprintf(stderr, "kairos: Slurm allows arrays of %u jobs here, so that many are used\n",
            most - 1);
    return most - 1;
}

static void write_options(const Study *s, const SlurmHow *how, FILE *f)
{
    unsigned nodes = how->nodes && !how->array ? how->nodes : 1;
    fprintf(f, "#!/bin/bash\n#SBATCH --job-name=kairos-study\n#SBATCH --nodes=%u\n", nodes);
    if (how->array)
        fprintf(f, "#SBATCH --array=1-%u\n", how->array);
    if (how->tasks)
        fprintf(f, "#SBATCH --ntasks-per-node=%u\n", how->tasks);
    else
        fputs("#SBATCH --exclusive\n", f);
    if (how->time)
        fprintf(f, "#SBATCH --time=%s\n", how->time);
    if (how->partition)
        fprintf(f, "#SBATCH --partition=%s\n", how->partition);
    fprintf(f, "#SBATCH --output=%s.slurm.log\n#SBATCH --open-mode=append\n", s->output);
}

static void write_script(const Study *s, const SlurmHow *how, FILE *f)
{
    char folder[PATH_MAX] = ".", path[PATH_MAX];
    write_options(s, how, f);
    fputs("#SBATCH --requeue\n"
          "#SBATCH --signal=B:USR1@60\n\n"
          "# One minute before the time limit, Slurm sends USR1. Finished points are safe, so the\n"
          "# job is put into the queue again and continues there.\n"
          "again() {\n"
          "  kill -TERM \"$work\" 2> /dev/null\n"
          "  wait \"$work\" 2> /dev/null\n"
          "  scontrol requeue \"$SLURM_JOB_ID\"\n"
          "  exit 0\n"
          "}\n"
          "trap again USR1\n"
          "cd ",
          f);
    put_word(f, getcwd(folder, sizeof folder) ? folder : ".");
    fputs("\ntasks=${SLURM_NTASKS_PER_NODE:-$SLURM_CPUS_ON_NODE}\n"
          "command=(",
          f);
    put_word(f, own_path());
    fputs(" study ", f);
    put_word(f, realpath(s->path, path) ? path : s->path);
    for (unsigned i = 0; i < how->n_libraries; i++) {
        fputs(" --library ", f);
        put_word(f, realpath(how->libraries[i], path) ? path : how->libraries[i]);
    }
    if (how->array)
        fprintf(f, " --part \"$SLURM_ARRAY_TASK_ID\"/%u", how->array);
    fputs(")\n"
          "if [ \"$SLURM_JOB_NUM_NODES\" = 1 ]; then\n"
          "  \"${command[@]}\" --jobs \"$tasks\" &\n"
          "elif command -v mpirun > /dev/null; then\n"
          "  mpirun --oversubscribe -n $((SLURM_JOB_NUM_NODES*tasks)) \"${command[@]}\" &\n"
          "else\n"
          "  srun --mpi=pmix -n $((SLURM_JOB_NUM_NODES*tasks)) \"${command[@]}\" &\n"
          "fi\n"
          "work=$!\n"
          "wait \"$work\"\n",
          f);
}

static bool has_sbatch(void)
{
    return !system("command -v sbatch > /dev/null 2>&1");
}

int slurm_submit(const Study *s, const SlurmHow *given)
{
    SlurmHow copy = *given, *how = &copy;
    if (how->array)
        how->array = array_size(how->array);
    if (how->dry_run) {
        write_script(s, how, stdout);
        return KAIROS_OK;
    }
    if (!has_sbatch()) {
        fprintf(stderr,
                "kairos: there is no Slurm here (sbatch is missing); on Debian the package "
                "slurm-client has it. 'kairos study %s' runs the study on this machine, "
                "--dry-run prints the script\n",
                s->path);
        return KAIROS_USE_ERROR;
    }
    if (how->fresh) {
        int lock = journal_begin(s, true, false);
        if (lock < 0)
            return KAIROS_USE_ERROR;
        close(lock);
    }
    FILE *f = popen(how->at_once ? "sbatch --parsable" : "sbatch --parsable --wait", "w");
    if (f)
        write_script(s, how, f);
    int status = f ? pclose(f) : -1;
    if (status)
        fprintf(stderr,
                "kairos: the job of the study failed or was not accepted; see '%s.slurm.log'\n",
                s->output);
    return !status                                                     ? KAIROS_OK
           : WIFEXITED(status) && WEXITSTATUS(status) == KAIROS_FAILED ? KAIROS_FAILED
                                                                       : KAIROS_USE_ERROR;
}
