function f
  input Real u;
  output Real y;
algorithm
  y := u;
end f;
// expect error I017 line 1
