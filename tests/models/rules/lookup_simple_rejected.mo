// Sections 5.3.1 and 5.3.2: names that are not found.
// options --all
package LookupSimpleRejected
  constant Real top = 1;
  package A
    constant Real c = 1;
  end A;
  package B
    constant Real c = 2;
  end B;
  package Chest
    constant Real open = 1;
  protected
    constant Real locked = 2;
  end Chest;
  encapsulated model Encapsulated
    Real y = top; // error I001 with 'top'
  end Encapsulated;
  model VariableAround
    Real x = time;
    model Inner
      Real y = x; // error I014 with not a constant
    end Inner;
    Inner inner_;
  end VariableAround;
  model ParameterAround
    parameter Real p = 1;
    model Inner
      Real y = p; // error I014 with not a constant
    end Inner;
    Inner inner_;
  end ParameterAround;
  model Ambiguous
    import LookupSimpleRejected.A.*;
    import LookupSimpleRejected.B.*; // error I035 with imported twice
    Real y = c;
  end Ambiguous;
  model ProtectedImport
    import LookupSimpleRejected.Chest.*;
    Real y = locked; // error I001 with 'locked'
  end ProtectedImport;
  model WithImport
    import LookupSimpleRejected.A.c;
  end WithImport;
  model ImportsAreNotInherited
    extends WithImport;
    Real y = c; // error I001 with 'c'
  end ImportsAreNotInherited;
  model ImportedFromOutside
    Real y = LookupSimpleRejected.WithImport.c; // error I001 with 'c'
  end ImportedFromOutside;
  model IteratorEnds
    Real x[2];
  equation
    for i in 1:2 loop
      x[i] = i;
    end for;
    assert(i > 0, "i"); // error I001 with 'i'
  end IteratorEnds;
  model M
    Real x = 1;
  end M;
  model NameOfItsClass
    M M; // error I002
  end NameOfItsClass;
  model HiddenByComponent
    M a; // error I002
    Real M = 1;
  end HiddenByComponent;
  model NoTopLevel
    Real y = .NowhereAtAll.c; // error I001 with 'NowhereAtAll'
  end NoTopLevel;
  model ClassIsNoValue
    Real y = A; // error I002
  end ClassIsNoValue;
  model ComponentIsNoClass
    Real y = 1;
    y z; // error I002
  end ComponentIsNoClass;
end LookupSimpleRejected;
