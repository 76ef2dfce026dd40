// expect error F015 line 6 with has 5 equations of its own for 6 unknowns
connector Pin Real v; flow Real i; end Pin;
partial model TwoPin Pin p, n; Real v, i; equation v = p.v - n.v; 0 = p.i + n.i; i = p.i;
  end TwoPin;
model Source extends TwoPin; equation v = 1; end Source;
model Half extends TwoPin; end Half;
model Ground Pin p; equation p.v = 0; end Ground;

model Component
  Source s; Half h; Ground g;
equation
  connect(s.p, h.p);
  connect(s.n, h.n);
  connect(g.p, s.n);
end Component;
