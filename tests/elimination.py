"""Systems of linear equations, for values that tests compute themselves."""


def solve_linear(a, b):
    """a*x = b by elimination with pivoting; numbers may be complex."""
    n = len(b)
    rows = [list(a[i]) + [b[i]] for i in range(n)]
    for k in range(n):
        best = max(range(k, n), key=lambda i: abs(rows[i][k]))
        rows[k], rows[best] = rows[best], rows[k]
        for i in range(n):
            if i != k:
                factor = rows[i][k] / rows[k][k]
                rows[i] = [x - factor * y for x, y in zip(rows[i], rows[k])]
    return [rows[i][n] / rows[i][i] for i in range(n)]
