// expect error F019 line 6 with not solved for a variable
model Unsolved
  block S
    Integer i(start = 0), k(start = 0);
  equation
    i + k = previous(i) + 1;
    k = 2*i;
  end S;
  S a;
equation
  initialState(a);
end Unsolved;
