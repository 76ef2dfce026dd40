model ErrorCall "functions that only fail: the text is computed when it happens"
  function error
    input String text;
  external "C" ModelicaError(text);
  end error;
  function stop
    input String text;
  algorithm
    assert(false, text, AssertionLevel.error);
  end stop;
  function root
    input Real x;
    input Boolean strict;
    output Real y;
  algorithm
    if x < 0 then
      if strict then
        error("no root of " + String(x, significantDigits = 3));
      else
        stop("no root of " + String(x, significantDigits = 3));
      end if;
    end if;
    y := sqrt(max(x, 0));
  end root;
  parameter Boolean strict = false;
  Real x(start = 1, fixed = true);
  Real y = root(x, strict);
equation
  der(x) = -1;
  // options --stop-time 2
  // expect error R007 with no root of -
end ErrorCall;
