/* Inside the reader of result files. */
#ifndef OUTPUT_TABLE_H
#define OUTPUT_TABLE_H

#include "output/output.h"

/* Fills t from the bytes of a MAT 4 file. False after an error. */
bool table_read_mat(Context *ctx, Table *t, const char *bytes, size_t size);

/* Units and title of a CSV file, from the metadata file if there is one. */
void metadata_read(Table *t);

#endif
