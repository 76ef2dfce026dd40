// expect error I117 line 3 with time cannot be used
record R
  Real x = time;
end R;
model M
  R r;
end M;
