// expect error I032 line 3 with given by a when-clause
model M
  discrete Real x = 1;
end M;
