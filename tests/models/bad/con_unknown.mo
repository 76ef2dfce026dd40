model A
  connector Pin
    Real v;
    flow Real i;
  end Pin;
  connector Flange
    Real phi;
    flow Real tau;
  end Flange;
  connector Rev
    flow Real v;
    Real i;
  end Rev;
  model P
    Pin p;
  end P;
  Pin a, b;
equation
  connect(a, bb);
end A;
// expect error I001 line 19 with did you mean 'b'
