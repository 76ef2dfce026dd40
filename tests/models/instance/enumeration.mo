// expect flat type E = enumeration(one, two, three);
// expect flat E e;
// expect flat if e == E.two then
// expect flat parameter Integer n = 3
// expect ok
type E = enumeration(one, two, three);
model Enumeration
  E e = if time > 1 then E.two else E.one;
  Real x;
  Real v[E] = {1, 2, 3};
  parameter Integer n = Integer(E.three);
equation
  if e == E.two then x = v[E.three]; else x = v[E.one]; end if;
end Enumeration;
