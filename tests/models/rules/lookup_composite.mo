// Sections 5.3.2 and 5.3.3: through components, through packages and similar classes, from the top.
// solvers cvode
// expect throughComponents(0) = 1 ± 1e-12
// expect throughArray(0) = 12 ± 1e-12
// expect throughPackages(0) = 2 ± 1e-12
// expect functionOfComponent(0) = 6 ± 1e-12
// expect functionOfElement(0) = 8 ± 1e-12
// expect fromTheTop(0) = 2 ± 1e-12
// expect encapsulatedInModel(0) = 4 ± 1e-12
// expect inheritedInPackage(0) = 2 ± 1e-12
// expect byAlias(0) = 2 ± 1e-12
package LookupComposite
  package Outer
    package Inner
      constant Real c = 2;
    end Inner;
    constant Real c = 1;
  end Outer;
  package Derived
    extends Outer;
  end Derived;
  package Alias = Outer.Inner;
  model Part
    parameter Real factor = 3;
    record Data
      Real v = 1;
    end Data;
    Data d;
    function double
      input Real x;
      output Real y = 2*x;
    end double;
    encapsulated function four
      output Real y = 4;
    end four;
  end Part;
  model All
    package LookupComposite "hides the one at the top"
      constant Real c = 99;
    end LookupComposite;
    Part part, parts[3](d(v = {3, 4, 5}));
    Real throughComponents = part.d.v, throughArray = sum(parts.d.v),
      throughPackages = Outer.Inner.c, functionOfComponent = part.double(3),
      functionOfElement = parts[2].double(4), fromTheTop = .LookupComposite.Outer.Inner.c,
        encapsulatedInModel = Part.four(), inheritedInPackage = Derived.Inner.c,
      byAlias = Alias.c;
  end All;
end LookupComposite;
