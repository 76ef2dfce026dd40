// expect error R007 line 7 with out of range 1:2
model BadSubscriptEnumeration
  type Colour = enumeration(red, green);
  Integer i(start = 1, fixed = true);
  Colour f[2] = {Colour.red, Colour.green};
  Colour g;
equation g = f[i];
  when sample(0.25, 0.25) then
    i = pre(i) + 1;
  end when;
end BadSubscriptEnumeration;
