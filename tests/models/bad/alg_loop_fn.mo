model A
  function f
    input Real u;
    output Real y;
  algorithm
    y := 0;
    while true loop
      y := y + u;
    end while;
  end f;
  Real x = f(time);
end A;
// expect error R014 line 7
