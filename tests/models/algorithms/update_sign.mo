model UpdateSign
  Real x;
algorithm
  x := 0;
  x += time; // error S008 with write x := x +
end UpdateSign;
