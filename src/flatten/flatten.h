/* The flatten phase.
 *
 * In: the instance of a model. Out: Flat (flat/flat.h). flatten.c is the order of the steps. Each
 * subfolder holds one subject:
 *   flat         the product: helpers, printer, checker, numbers of equations
 *   flattener    what the other rooms share while a model is made flat
 *   components   variables, attributes and equations of components
 *   connections  connection sets, streams, overconstrained and expandable connectors
 *   synchronous  clocked partitions and state machines
 *   units        units of measurement, and their check */
#ifndef FLATTEN_FLATTEN_H
#define FLATTEN_FLATTEN_H

#include "flatten/flat/flat.h"
#include "instance/instance.h"

/* Never NULL; incomplete after errors, and if instance_again has another instance to flatten. */
Flat *flatten_model(Library *lib, Instance *root);

#endif
