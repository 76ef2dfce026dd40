// expect error I041 line 5 with is partial
partial package P
  constant Real x = 1;
end P;
model M Real y = P.x; end M;
