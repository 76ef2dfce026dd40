// expect error I001 with undeclared
model Data "an error inside elements that differ is reported once"
  parameter Integer n = 1;
  Real x[n] = fill(undeclared, n);
end Data;

model Error
  Data d[2](n = {1, 2});
end Error;
