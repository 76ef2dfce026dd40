package AssertMessage "Messages of assertions are made when they fail"
  function limited
    input Real x;
    input String name;
    output Real y;
  protected
    String text = "";
  algorithm
    for i in 1:2 loop
      text := text + " [" + String(i) + "]";
    end for;
    assert(x < 0.5, name + " = " + String(x, significantDigits = 3) + " is too large" + text);
    y := x;
  end limited;
  model Test
    Real x(start = 0, fixed = true);
    Real y = limited(x, "level of " + getInstanceName());
  equation
    der(x) = 1;
  end Test;
end AssertMessage;
// model AssertMessage.Test
// expect error R007 with is too large [1] [2]
