// expect error I014 line 4 with depends on 'p'
model M
  parameter Real p = 1;
  constant Real c = 2*p;
  Real x = c;
end M;
