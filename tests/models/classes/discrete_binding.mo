// expect error I032 line 3 with define it in a when-clause
model M
  discrete Real x = 1;
end M;
