model PreStart "An initial equation for pre of a discrete variable"
  Integer n;
  Boolean b(start = true);
initial equation
  pre(n) = 5;
  pre(b) = true;
equation
  when sample(0.5, 1) then
    n = pre(n) + 1;
    b = not pre(b);
  end when;
end PreStart;
// expect n(0.2) = 5 ± 0
// expect n(1) = 6 ± 0
// expect b(0.2) = 1 ± 0
// expect b(1) = 0 ± 0
