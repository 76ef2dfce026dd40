#include "load/for_tcc.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
static jmp_buf escape; /* of the turn */
static bool broken;

extern char **environ;

FILE *for_tcc_stdout, *for_tcc_stderr;
char **for_tcc_environ;
void for_tcc_exit(int status) __attribute__((noreturn));
void *for_tcc_malloc(size_t size);
void *for_tcc_calloc(size_t n, size_t size);
void *for_tcc_realloc(void *p, size_t size);
int for_tcc_fprintf(FILE *f, const char *format, ...);
int for_tcc___fprintf_chk(FILE *f, int flag, const char *format, ...);
int for_tcc_sem_wait(void *semaphore);
int for_tcc_sem_post(void *semaphore);

bool for_tcc_take_turn(void (*action)(void *arg), void *arg)
{
    pthread_mutex_lock(&turn);
    for_tcc_stdout = stdout;
    for_tcc_stderr = stderr;
    for_tcc_environ = environ;
    if (!broken && !setjmp(escape)) {
        action(arg);
    }
    bool ok = !broken;
    pthread_mutex_unlock(&turn);
    return ok;
}

void for_tcc_exit(int status)
{
    (void)status;
    broken = true;
    longjmp(escape, 1);
}

static void *checked(void *p, size_t size)
{
    if (!p && size) {
        for_tcc_exit(1);
    }
    return p;
}

void *for_tcc_malloc(size_t size)
{
    return checked(malloc(size), size);
}

void *for_tcc_calloc(size_t n, size_t size)
{
    return checked(calloc(n, size), n * size);
}

void *for_tcc_realloc(void *p, size_t size)
{
    return checked(realloc(p, size), size);
}

int for_tcc_fprintf(FILE *f, const char *format, ...)
{
    (void)f;
    (void)format;
    return 0;
}

int for_tcc___fprintf_chk(FILE *f, int flag, const char *format, ...)
{
    (void)f;
    (void)flag;
    (void)format;
    return 0;
}

int for_tcc_sem_wait(void *semaphore)
{
    (void)semaphore;
    return 0;
}

int for_tcc_sem_post(void *semaphore)
{
    (void)semaphore;
    return 0;
}
