// In Modelica nondiscrete is a name like any other.
// expect x(1) = 3
model NondiscreteName
  type nondiscrete = Real;
  nondiscrete x = 3;
  Real nondiscrete2 = 1;
end NondiscreteName;
