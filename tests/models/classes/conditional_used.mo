// expect error I036 line 4 with conditional component
model M
  Real x = 1 if true;
  Real y = x;
end M;
