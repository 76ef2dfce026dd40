/* Studies under Slurm: one MPI job, submitted by sbatch. The journal makes it safe to be requeued:
 * the same command continues. */
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

static void write_script(const Study *s, const SlurmHow *how, FILE *f)
{
    char folder[PATH_MAX] = ".", path[PATH_MAX];
    fprintf(f, "#!/bin/bash\n#SBATCH --job-name=kairos-study\n#SBATCH --nodes=%u\n",
            how->nodes ? how->nodes : 1);
    if (how->tasks)
        fprintf(f, "#SBATCH --ntasks-per-node=%u\n", how->tasks);
    else
        fputs("#SBATCH --exclusive\n", f);
    if (how->time)
        fprintf(f, "#SBATCH --time=%s\n", how->time);
    if (how->partition)
        fprintf(f, "#SBATCH --partition=%s\n", how->partition);
    fprintf(f, "#SBATCH --output=%s.slurm.log\n#SBATCH --open-mode=append\n", s->output);
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

int slurm_submit(const Study *s, const SlurmHow *how)
{
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
