// expect error I012 line 11 with is final
model A
  final replaceable model B
    Real x = 2;
  end B;
  B b;
end A;
model C
  Real x = 3;
end C;
model M A a(redeclare model B = C); end M;
