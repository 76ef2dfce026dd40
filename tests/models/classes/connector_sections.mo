// expect error I030 line 6 with cannot have algorithms
// expect error I032 line 4 with 'outer'
connector C
  outer Real e;
  flow Real f;
algorithm
  f := 1;
end C;
model M
  inner Real e = 1;
  C c;
end M;
