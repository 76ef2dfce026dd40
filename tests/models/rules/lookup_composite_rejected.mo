// Sections 5.3.2 and 5.3.3.
// options --all
package LookupCompositeRejected
  model Part
    parameter Real k = 1;
    Real x = k*time;
    model Local
      Real y = 1;
    end Local;
    record Data
      Real v = 1;
    end Data;
    Data data;
    function f
      output Real y = 1;
    end f;
  end Part;
  package Half
    constant Real c = 1;
  end Half;
  model NoElement
    Part p;
    Real y = p.data.w; // error I001 with has no element 'w'
  end NoElement;
  model ThroughSimple
    Real x = 1;
    Real y = x.start; // error I001
  end ThroughSimple;
  model VariableOfClass
    Real y = Part.x; // error I037 with not a package
  end VariableOfClass;
  model ModelLookedInto
    Part.Local l; // error I037 with not a package
  end ModelLookedInto;
  model ClassThroughComponent
    Part p;
    p.Local l; // error I002
  end ClassThroughComponent;
  model FunctionOfArray
    Part p[2];
    Real y = p.f(); // error I002 with array of components
  end FunctionOfArray;
  model NoSuchPackage
    LookupCompositeRejected.Nothing.M m; // error I001 with 'Nothing'
  end NoSuchPackage;
  model FirstFoundCounts
    package Half
      constant Real d = 1;
    end Half;
    Real y = Half.c; // error I001 with 'c'
  end FirstFoundCounts;
end LookupCompositeRejected;
