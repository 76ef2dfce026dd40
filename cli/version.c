#include "command.h"

#include <stdio.h>

static int version(Options *o)
{
    (void)o;
    printf("kairos %s\n", kairos_version());
    return KAIROS_OK;
}

const Command command_version = {
    .name = "version",
    .arguments = "",
    .summary = "print the version",
    .text = "Prints the version of Kairos.",
    .run = version,
    .size = sizeof(Options),
    .options = {common_options},
};
