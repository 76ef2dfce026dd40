// expect error I102 line 3
model Wrong
  parameter Real r[3] = {1, 2};
end Wrong;
