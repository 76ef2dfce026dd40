// Two bases declare a package of one name; the extends clause of the first redeclares it as the
// second has it: they are one.
// expect y(0) = 3
package RedeclaredAlike
  partial package Medium
    constant Integer n;
  end Medium;
  partial package Gas
    extends Medium;
  end Gas;
  package Air
    extends Gas(n = 3);
  end Air;
  partial model Sensor
    replaceable package M = Medium "of any kind";
    Real y;
  end Sensor;
  partial model Index
    replaceable package M = Gas "that condenses";
    parameter Integer i = M.n;
  end Index;
  model Fraction
    extends Sensor(redeclare replaceable package M = Gas);
    extends Index;
  equation
    y = i;
  end Fraction;
  model Test
    Fraction f(redeclare package M = Air);
    Real y = f.y;
  end Test;
end RedeclaredAlike;
