// expect error F002 line 4 with cannot be declared as a parameter
connector C = input Real;
model ConnectorParameter
  parameter C c = 1;
end ConnectorParameter;
