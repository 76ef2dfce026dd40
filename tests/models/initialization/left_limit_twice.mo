model LeftLimitTwice "two blocks with the same condition for one left limit"
  block Edge
    input Boolean u;
    output Integer n(start = 0, fixed = true);
  initial equation
    pre(u) = false;
  equation
    when u then
      n = pre(n) + 1;
    end when;
  end Edge;
  Boolean b = time > 0.5;
  Edge e(u = b), f(u = b);
  // expect e.n(1) = 1
  // expect f.n(1) = 1
end LeftLimitTwice;
