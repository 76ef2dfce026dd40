// Sections 3.8, 4.4.4 and 4.5: what varies more than it may.
// options --all
package VariabilityRejected
  model Bindings
    Real x = time;
    parameter Real p = x; // error F007
    constant Real c = p; // error I014
    parameter Real q = time; // error F007
    constant Real d = time; // error F007
  end Bindings;
  model Discrete
    Real x = time;
    discrete Real d = x; // error I032
    Integer n = x; // error I103
    Boolean b = x; // error I103
  end Discrete;
  model Sizes
    Integer n = if time > 1 then 2 else 3;
    Real x[n]; // error I014
  equation
    x = ones(n); // error I014
  end Sizes;
  model EventsOfContinuous
    Real x = time;
    Boolean b = edge(x > 1) or change(x); // error I103
  end EventsOfContinuous;
  model Attributes
    Real x(unit = 1) = 1; // error I019
    Real y(min = time) = 1; // error F007
    Real z(fixed = 2) = 1; // error I103
    Real w(stateSelect = 3) = 1; // error I019
    Integer n(unit = "m") = 1; // error I005
    Boolean b(min = false) = true; // error I005
  end Attributes;
end VariabilityRejected;
