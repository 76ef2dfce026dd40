// expect error I034 line 3 with name of a predefined type
model M
  Real Integer = 1;
end M;
