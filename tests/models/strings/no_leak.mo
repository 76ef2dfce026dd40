model NoLeak "Texts that no variable holds are freed: this run makes hundreds of thousands of them"
  function label
    input Real x;
    output Real y;
  protected
    String s = "";
  algorithm
    for i in 1:20 loop
      s := s + String(x + i, significantDigits = 15) + " ";
    end for;
    y := if s == "" then 0 else 1;
  end label;
  Real x(start = 0, fixed = true);
  discrete String kept(start = "start", fixed = true);
  discrete Integer good(start = 0, fixed = true);
equation
  der(x) = label(time);
  when sample(0, 0.05) then
    kept = "kept at " + String(time, significantDigits = 3);
    good = pre(good) + (if pre(kept) == "start" or pre(kept) == "kept at " + String(time - 0.05,
      significantDigits = 3) then 1 else 0);
  end when;
end NoLeak;
// options --solver rk4 --intervals 2000
// solvers rk4
// expect x(1) = 1 ± 1e-9
// expect good(1) = 21
