// The element that a section assigns to is numbered by a variable, which leaves the array.
// expect error R004 with a subscript is out of range at time = 0.4
model ElementOutOfRange
  Real a[3](each start = 0, each fixed = true);
  Integer k(start = 0, fixed = true);
algorithm
  when sample(0.1, 0.1) then
    k := pre(k) + 1;
    a[k] := time;
  end when;
end ElementOutOfRange;
