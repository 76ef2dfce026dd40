// expect ok
// expect flat record R
record R Real a; Real b[2]; end R;
function make
  input Real x;
  input Real v[:];
  output R r;
algorithm
  r.a := x;
  r.b := v;
end make;
function total
  input R r;
  output Real s = r.a + sum(r.b);
algorithm
end total;
model Records
  R r;
  Real s;
equation
  r = make(time, {1, 2});
  s = total(r);
end Records;
