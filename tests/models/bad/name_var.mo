model A
  Real height(start = 1);
equation
  der(heigth) = 1;
end A;
// expect error I001 line 4 with did you mean 'height'
