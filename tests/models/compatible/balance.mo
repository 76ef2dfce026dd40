// A component without an equation for its variable: the class around it has one.
// options --compatible
// expect warning F015 with has 0 equations of its own for 1 unknown
// expect a.x(1) = 1 ± 1e-9
model Balance
  model A
    Real x;
  end A;
  A a;
equation
  a.x = time;
end Balance;
