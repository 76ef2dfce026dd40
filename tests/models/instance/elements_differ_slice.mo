// expect error I021 line 9 with 'd.x' is Real[1] in one element of 'd' and Real[2] in another
model Data
  parameter Integer n = 1;
  Real x[n] = ones(n);
end Data;

model Slice "sizes that differ give no array"
  Data d[2](n = {1, 2});
  Real y[:, :] = d.x;
end Slice;
