// Chapters 8 and 11: equations and statements.
// options --all
package EquationsRejected
  model Sides
    Real x, y[2];
    Boolean b;
    String s = "a";
  equation
    x = true; // error I103
    y = {1, 2, 3}; // error I102
    b = 1; // error I103
    x = s; // error I103
  end Sides;
  model Loops
    Real x[3], y[3];
  equation
    for i in 1:3 loop
      x[i] = 1;
    end for;
    for i in "abc" loop // error F004
      y[1] = 1;
    end for;
  end Loops;
  model Conditions
    Real x, y;
  equation
    if 1 then // error I103
      x = 1;
    else
      x = 2;
    end if;
    when 2 then // error F004
      y = 1;
    end when;
  end Conditions;
  model Differ
    Real x, y;
    Boolean c = time > 1;
  equation
    if c then // error F006
      x = 1;
      y = 1;
    else
      x = 2;
    end if;
  end Differ;
  model WhenInWhen
    discrete Real x;
  equation
    when time > 1 then
      when time > 2 then // error F004
        x = 1;
      end when;
    end when;
  end WhenInWhen;
  model InitialWhen
    Real x = 1;
  initial equation
    when time > 1 then // error F004
      x = 2;
    end when;
  end InitialWhen;
  model ReinitOutside
    Real x(start = 1);
  equation
    der(x) = 1;
    reinit(x, 2); // error F004
  end ReinitOutside;
  model ReinitNoReal
    Integer n(start = 1);
  equation
    when time > 1 then
      reinit(n, 2); // error I103
      n = 2;
    end when;
  end ReinitNoReal;
  model Asserts
    Real x = 1;
  equation
    assert(x, "x"); // error I103
    assert(x > 0, 1); // error I103
    assert(x > 0); // error I104
    assert(x > 0, "x", 3); // error I103
    terminate(1); // error I103
  end Asserts;
  model Statements
    Real x, y[2];
    constant Real c = 1;
  algorithm
    x := "a"; // error I103
    y := 1; // error I102
    c := 2; // error I116
    y[3] := 1; // error I109
    z := 1; // error I001
    if x then // error I103
      x := 1;
    end if;
    while x loop // error I103
      x := 1;
    end while;
    for i in 1:2 loop
      i := 3; // error I116
    end for;
    (x, y) := sin(1); // error I122
  end Statements;
  model WhenInLoop
    discrete Real x;
  algorithm
    for i in 1:2 loop
      when time > i then // error I117
        x := i;
      end when;
    end for;
  end WhenInLoop;
  model Outside
    Real x = 1;
  algorithm
    break; // error I117
    return; // error I117
  end Outside;
  model Targets
    parameter Real p = 1;
    input Real u;
    Real x;
  algorithm
    p := 2; // error I116 with a parameter
    u := 3; // error I116 with an input
    x := 1;
  end Targets;
end EquationsRejected;
