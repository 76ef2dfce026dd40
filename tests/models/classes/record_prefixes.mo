// expect error I032 line 5 with 'inner'
// expect error I032 line 6 with 'output'
// expect error I030 line 8 with protected elements
record R
  inner Real a = 1;
  output Real b = 2;
protected
  Real c = 3;
end R;
model M
  R r;
end M;
