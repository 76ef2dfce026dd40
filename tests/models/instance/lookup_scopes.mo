// Names are found in the class, then in the classes around it, then at the top.
// expect flat y = x + 3.0
// expect flat der(x) = -2.0
package P
  constant Real a = 1;
  package Q
    constant Real b = a + 1;
    model M
      constant Real c = a + b;
      Real x(start = 1, fixed = true), y;
    equation
      der(x) = -b;
      y = c + x;
    end M;
  end Q;
end P;
// model P.Q.M
