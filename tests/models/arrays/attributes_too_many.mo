// expect error I019 line 3 with 'unit' of 'x' has 3 values for 2 elements
model AttributesTooMany
  Real x[2](unit = {"m", "s", "kg"}) = {time, time};
end AttributesTooMany;
