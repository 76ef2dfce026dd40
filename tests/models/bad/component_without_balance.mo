// expect error F001 with has 3 equations for 4 unknowns
model component_without_balance
  connector Pin
    Real v;
    flow Real i;
  end Pin;
  Pin p, n;
equation
  p.i + n.i = 0;
end component_without_balance;
