// expect error I103 line 4 with argument of der must be Real, found Integer
model DerInteger
  constant Integer k = 1;
  Real a = der(k);
end DerInteger;
