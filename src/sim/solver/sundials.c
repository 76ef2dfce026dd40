/* See sundials.h. */
#include "sim/solver/sundials.h"
#include "base/memory.h"

#include <math.h>

enum { DENSE_UP_TO = 30 };

void sundials_ignore_message(int code, const char *module, const char *function, char *text,
                             void *user)
{
    (void)code, (void)module, (void)function, (void)text, (void)user;
}

bool sundials_create(Sundials *s, const Problem *p, uint32_t n, const double *atol)
{
    s->p = p;
    s->n = n;
    if (SUNContext_Create(NULL, &s->context))
        return false;
    s->x = N_VNew_Serial(n, s->context);
    s->atol = atol;
    s->work = N_VNewEmpty_Serial(n, s->context);
    if (!s->x || !s->work)
        return false;
    s->weight = N_VClone(s->x);
    s->error = N_VClone(s->x);
    if (!s->weight || !s->error)
        return false;
    N_VConst(0, s->x);
    return true;
}

int sundials_weights(N_Vector x, N_Vector weights, void *user)
{
    const Sundials *s = user;
    const double *at = N_VGetArrayPointer(x);
    double *w = N_VGetArrayPointer(weights);
    double strictness = solver_strictness(s->p);
    for (uint32_t i = 0; i < s->n; i++)
        w[i] = strictness / (s->p->rtol * fabs(at[i]) + s->atol[i]);
    return 0;
}

int sundials_right_side(realtype t, N_Vector x, N_Vector dx, void *user)
{
    const Problem *p = ((Sundials *)user)->p;
    return p->f(p->user, t, N_VGetArrayPointer(x), N_VGetArrayPointer(dx));
}

int sundials_jacobian(realtype t, N_Vector x, N_Vector fx, SUNMatrix matrix, void *user,
                      N_Vector w1, N_Vector w2, N_Vector w3)
{
    (void)fx, (void)w1, (void)w2, (void)w3;
    Sundials *s = user;
    const Problem *p = s->p;
    int status = p->jacobian(p->user, t, N_VGetArrayPointer(x), s->values);
    if (status < 0)
        return status;
    /* Newton's iteration never ends if this function asks for another point. Without a Jacobian it
     * fails as it should, and the step is repeated with half the size. */
    if (status > 0)
        memset(s->values, 0, p->col_ptr[p->n] * sizeof *s->values);
    sundials_fill(s, matrix, 0, 0);
    return 0;
}

/* The pattern with the whole diagonal added, as I - γJ needs it. */
static void build_pattern(Sundials *s)
{
    uint32_t n = s->n, nnz = s->from_col_ptr[n], at = 0;
    s->position = memory_alloc(((size_t)nnz + 1) * sizeof *s->position);
    s->diagonal = memory_alloc(((size_t)n + 1) * sizeof *s->diagonal);
    s->col_ptr = memory_alloc(((size_t)n + 1) * sizeof *s->col_ptr);
    s->row = memory_alloc(((size_t)nnz + n) * sizeof *s->row);
    for (uint32_t j = 0; j < n; j++) {
        s->diagonal[j] = UINT32_MAX;
        for (uint32_t k = s->from_col_ptr[j]; k < s->from_col_ptr[j + 1]; k++) {
            if (s->from_row[k] == j)
                s->diagonal[j] = at;
            s->position[k] = at;
            s->row[at++] = s->from_row[k];
        }
        if (s->diagonal[j] == UINT32_MAX) {
            s->diagonal[j] = at;
            s->row[at++] = j;
        }
        s->col_ptr[j + 1] = at;
    }
}

/* Ordered by AMD: the pattern of an ODE is nearly symmetric, and the fill is known before the
 * factors get their memory. COLAMD makes KLU allocate ten times the matrix. */
static SUNLinearSolver sparse_linear(Sundials *s)
{
    enum { ORDER_AMD = 0 };
    SUNLinearSolver linear = s->matrix ? SUNLinSol_KLU(s->x, s->matrix, s->context) : NULL;
    if (linear)
        SUNLinSol_KLUSetOrdering(linear, ORDER_AMD);
    return linear;
}

bool sundials_linear(Sundials *s, const uint32_t *col_ptr, const uint32_t *row)
{
    s->from_col_ptr = col_ptr;
    s->from_row = row;
    if (col_ptr)
        s->values = memory_alloc(((size_t)col_ptr[s->n] + 1) * sizeof *s->values);
    if (col_ptr && s->n > DENSE_UP_TO) {
        build_pattern(s);
        s->matrix = SUNSparseMatrix(s->n, s->n, s->col_ptr[s->n], CSC_MAT, s->context);
        s->linear = sparse_linear(s);
    } else {
        s->matrix = SUNDenseMatrix(s->n, s->n, s->context);
        s->linear = s->matrix ? SUNLinSol_Dense(s->x, s->matrix, s->context) : NULL;
    }
    return s->linear != NULL;
}

static void fill_dense(const Sundials *s, SUNMatrix matrix)
{
    for (uint32_t j = 0; j < s->n; j++) {
        realtype *column = SUNDenseMatrix_Column(matrix, j);
        memset(column, 0, s->n * sizeof *column);
        for (uint32_t k = s->from_col_ptr[j]; k < s->from_col_ptr[j + 1]; k++)
            column[s->from_row[k]] = s->values[k];
    }
}

static void fill_sparse(const Sundials *s, SUNMatrix matrix)
{
    sunindextype nnz = s->col_ptr[s->n];
    memcpy(SUNSparseMatrix_IndexPointers(matrix), s->col_ptr,
           (s->n + (size_t)1) * sizeof *s->col_ptr);
    memcpy(SUNSparseMatrix_IndexValues(matrix), s->row, (size_t)nnz * sizeof *s->row);
    realtype *data = SUNSparseMatrix_Data(matrix);
    memset(data, 0, (size_t)nnz * sizeof *data);
    for (uint32_t k = 0; k < s->from_col_ptr[s->n]; k++)
        data[s->position[k]] = s->values[k];
}

void sundials_fill(const Sundials *s, SUNMatrix matrix, double shift, uint32_t n_shift)
{
    if (SUNMatGetID(matrix) == SUNMATRIX_DENSE) {
        fill_dense(s, matrix);
        for (uint32_t j = 0; j < n_shift; j++)
            SUNDenseMatrix_Column(matrix, j)[j] += shift;
        return;
    }
    fill_sparse(s, matrix);
    for (uint32_t j = 0; j < n_shift; j++)
        SUNSparseMatrix_Data(matrix)[s->diagonal[j]] += shift;
}

double sundials_filter(Sundials *s, double gamma, double *b)
{
    for (uint32_t i = 0; i < s->n; i++)
        b[i] *= gamma;
    N_VSetArrayPointer(b, s->work);
    if (!(gamma > 0) || SUNLinSolSolve(s->linear, s->matrix, s->error, s->work, 0))
        return 0;
    memcpy(b, N_VGetArrayPointer(s->error), s->n * sizeof *b);
    return 1 / gamma;
}

void sundials_destroy(Sundials *s)
{
    if (s->linear)
        SUNLinSolFree(s->linear);
    if (s->matrix)
        SUNMatDestroy(s->matrix);
    N_Vector vectors[] = {s->x, s->work, s->weight, s->error};
    for (int i = 0; i < 4; i++)
        if (vectors[i])
            N_VDestroy(vectors[i]);
    if (s->context)
        SUNContext_Free(&s->context);
    memory_free(s->values);
    memory_free(s->position);
    memory_free(s->diagonal);
    memory_free(s->col_ptr);
    memory_free(s->row);
}

uint32_t sundials_largest(const Sundials *s, uint32_t n)
{
    uint32_t found = UINT32_MAX;
    double worst = -1;
    const double *w = N_VGetArrayPointer(s->weight), *e = N_VGetArrayPointer(s->error);
    for (uint32_t i = 0; i < n; i++) {
        double size = fabs(w[i] * e[i]);
        if (size > worst) {
            worst = size;
            found = i;
        }
    }
    return found;
}

bool sundials_advances(Sundials *s, double from, double to)
{
    s->standing = to - from < solver_resolution(from) ? s->standing + 1 : 0;
    return s->standing < STANDING;
}
