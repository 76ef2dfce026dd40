/* Landlock: a process gives up the files that it does not need. */
#include "mcp.h"

#include <fcntl.h>
#include <linux/landlock.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
    READ = LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR,
    WRITE = LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_DIR |
            LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_MAKE_DIR |
            LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_MAKE_SYM,
};

/* Of a file that is not a folder. */
enum {
    FILE_RIGHTS =
        LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE
};

/* Moving files between folders can be allowed since the second version of Landlock. */
static unsigned long long write_rights(void)
{
    long version = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
    return WRITE | (version >= 2 ? LANDLOCK_ACCESS_FS_REFER : 0);
}

static void allow(int rules, const char *path, unsigned long long access)
{
    struct stat st;
    int fd = open(path, O_PATH | O_CLOEXEC);
    if (fd < 0)
        return;
    if (!fstat(fd, &st) && !S_ISDIR(st.st_mode))
        access &= FILE_RIGHTS;
    struct landlock_path_beneath_attr rule = {.allowed_access = access, .parent_fd = fd};
    syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
    close(fd);
}

static void allow_libraries(const Host *h, int rules)
{
    char *text = kairos_list_libraries(h->k, KAIROS_JSON);
    cJSON *list = cJSON_Parse(text ? text : "[]"), *row;
    kairos_free_text(text);
    cJSON_ArrayForEach(row, list)
    {
        const char *place = json_text(row, "place");
        if (place)
            allow(rules, place, READ);
    }
    cJSON_Delete(list);
    for (unsigned i = 0; i < h->n_libraries; i++)
        allow(rules, h->libraries[i], READ);
}

/* Compiled external code is kept there; Kairos alone writes to it. */
static void allow_cache(int rules, unsigned long long rights)
{
    const char *base = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    bool own = base && *base == '/';
    Text t = {0};
    text_printf(&t, "%s%s", own ? base : home ? home : "", own ? "" : "/.cache");
    mkdir(t.at, 0755);
    text_put(&t, "/kairos");
    mkdir(t.at, 0755);
    allow(rules, t.at, rights);
    text_free(&t);
}

void confine_process(const Host *h, const char *scratch)
{
    static const char *const system[] = {"/usr",
                                         "/lib",
                                         "/lib64",
                                         "/etc/fonts",
                                         "/etc/ld.so.cache",
                                         "/dev",
                                         "/proc/self",
                                         "/var/cache/fontconfig"};
    unsigned long long write = write_rights();
    struct landlock_ruleset_attr all = {.handled_access_fs = READ | write};
    int rules = (int)syscall(SYS_landlock_create_ruleset, &all, sizeof all, 0);
    if (rules < 0)
        return;
    for (size_t i = 0; i < sizeof system / sizeof *system; i++)
        allow(rules, system[i], READ);
    allow(rules, "/dev/null", READ | LANDLOCK_ACCESS_FS_WRITE_FILE);
    allow_libraries(h, rules);
    allow_cache(rules, READ | write);
    for (unsigned i = 0; i < h->roots.n; i++)
        allow(rules, h->roots.at[i], READ | write);
    if (scratch) {
        allow(rules, scratch, READ | write);
        setenv("TMPDIR", scratch, 1); /* for compilers */
    }
    if (!prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
        syscall(SYS_landlock_restrict_self, rules, 0);
    close(rules);
}
