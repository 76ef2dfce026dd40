// expect error I103 line 3 with must be a connector
model CardinalityVariable
  Real x = 1;
  Integer n = cardinality(x);
end CardinalityVariable;
