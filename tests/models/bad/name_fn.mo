model A
  Real x = sine(time);
end A;
// expect error I001 line 2 with did you mean 'sin'
