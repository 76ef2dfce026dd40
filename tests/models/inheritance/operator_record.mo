// expect error I031 line 6 with cannot be extended
operator record P
  Real a = 1;
end P;
operator record Q
  extends P(a = 2);
end Q;
model M
  Q q;
end M;
