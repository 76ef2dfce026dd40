// expect error F001 line 11 with model 'Loose' has 1 equation for 2 unknowns
connector In = input Real;
connector Out = output Real;
block Gain
  In u;
  Out y;
equation
  y = 2*u;
end Gain;

model Loose
  Gain g;
end Loose;
