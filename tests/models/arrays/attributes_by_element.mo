// Texts and choices among the attributes may differ from element to element, in arrays and in
// arrays of components.
// expect flat Real[2] 'c[1].X'(quantity = {"water", "air"}, each unit = "1"
// expect flat Real 'c[2].y'(unit = "cm")
// expect flat stateSelect = {StateSelect.never, StateSelect.always}
// expect equations STATES c[1].X[1] c[1].X[2] c[2].X[1] c[2].X[2] p[2]
// expect p[1](1) = exp(-1) ± 1e-6
// expect c[2].y(1) = 0.5*exp(-1) ± 1e-6
model AttributesByElement
  type Fraction = Real(quantity = "MassFraction", unit = "1");
  constant String names[2] = {"water", "air"};
  model Cell
    Fraction X[2](quantity = names, each start = 0.5, each fixed = true);
    Real y(unit = "m");
  equation
    der(X) = {-X[1], X[1]};
    y = X[1];
  end Cell;
  Cell c[2](y(unit = {"m", "cm"}));
  Real p[2](stateSelect = {StateSelect.never, StateSelect.always}, start = {1, 0.5}, fixed = {true,
    false});
  Real q;
equation
  p[1] = 2*p[2];
  der(p[1]) = -p[1];
  q = der(p[2]);
  annotation(experiment(StopTime = 1, Tolerance = 1e-8));
end AttributesByElement;
