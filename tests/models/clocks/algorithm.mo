// expect s(0.35) = 10 ± 1e-9
// options --stop-time 1
model ClockedAlgorithm
  Integer n(start = 0), s(start = 0);
algorithm
  when Clock(1, 10) then
    n := previous(n) + 1;
    s := previous(s) + n;
  end when;
end ClockedAlgorithm;
