// expect error I110 line 5 with must be EnumSubscript.E, found Integer
model EnumSubscript
  type E = enumeration(one, two, three);
  Real arr[E] = {1, 2, 3};
  Real x = arr[1];
  Real y = arr[E.two] + arr[end];
end EnumSubscript;
