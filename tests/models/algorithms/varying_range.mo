// In statements of a model, bounds of ranges and sizes of arrays may depend on variables.
// expect total(0.5) = 3
// expect biggest(0.5) = 2
// expect total(1) = 15
// expect count(1) = 4
// expect found[1](1) = 4
// expect found[4](1) = 1
// expect share(1) = 0.25 ± 1e-12
model VaryingRange
  Integer found[4](each start = 0);
  Integer n(start = 0);
  Real p[4] = {1, 2, 4, 8};
  Real total(start = 0), biggest(start = 0), share(start = 0), shares[4](each start = 0);
  Integer count(start = 0);
algorithm
  when sample(0, 0.25) then
    n := 0;
    found := zeros(4);
    for i in 1:4 loop
      if time > 0.2*i then
        n := n + 1;
        found[n] := i;
      end if;
    end for;
    total := sum(p[found[1:n]]);
    count := size(found[1:n], 1);
    if n > 0 then
      biggest := max(p[found[1:n]]);
      found[1:n] := found[n:-1:1];
      shares[1:n] := fill(1/n, n);
      share := shares[n];
    end if;
  end when;
end VaryingRange;
