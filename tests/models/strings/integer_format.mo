// String(i, format = s): Integers take the conversions of Reals and their own (section 3.7.1).
// expect ok_all(0) = 1
model IntegerFormat
  parameter Integer i = 42;
  Integer k = integer(time) + 255;
  Boolean ok_all = String(i, format = "1.3e") == "4.200e+01" and String(i, format = "5d") == "   42"
    and String(k, format = "x") == "ff" and String(k, format = ".1f") == "255.0";
end IntegerFormat;
