// expect error I030 line 6 with cannot have algorithms
// expect error I032 line 4 with 'inner'
connector C
  inner Real e;
  flow Real f;
algorithm
  f := 1;
end C;
model M
  C c;
end M;
