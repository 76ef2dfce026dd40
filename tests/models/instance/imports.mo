// All forms of import.
// expect flat x = 10.0
// expect ok
package A
  constant Real a = 1;
  package B
    constant Real b = 2, c = 3;
    package D constant Real d = 4; end D;
  end B;
end A;
model Imports
  import A;
  import K = A.B;
  import A.B.{b, c};
  import A.B.D.*;
  Real x;
equation
  x = A.a + K.b + c + d;
end Imports;
