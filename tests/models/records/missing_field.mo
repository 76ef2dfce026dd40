// A field without a default must be given to the constructor (section 12.6)
record R
  Real a;
  Real b = 2*a;
end R;
model MissingField
  R r = R(b = 1);
end MissingField;
// expect error I107 line 7 with argument a of record R is missing
