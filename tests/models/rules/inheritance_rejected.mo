// Section 7.1.
// options --all
package InheritanceRejected
  model A
    Real x = 1;
  end A;
  model Twice
    extends A;
    Integer x = 1; // error I003 with declared
  end Twice;
  model Other
    Real x = 2;
  end Other;
  model Differ
    extends A;
    extends Other; // error I003
  end Differ;
  model OtherVisibility
    extends A;
  protected
    Real x = 1; // error I003
  end OtherVisibility;
  model Itself
    extends Itself; // error I004 with from itself
  end Itself;
  model ByProtected
  protected
    extends A;
  end ByProtected;
  model Reaches
    ByProtected b;
    Real y = b.x; // error I013 with protected
  end Reaches;
  model NoBase
    extends Nowhere; // error I001 with 'Nowhere'
  end NoBase;
  model BaseFromBase
    extends A;
    model Local
      extends M; // error I001 with 'M'
    end Local;
    Local l;
  end BaseFromBase;
  model WithClass
    partial model Inner
      Real z;
    end Inner;
  end WithClass;
  model ByInherited
    extends WithClass;
    extends Inner; // error I031
  end ByInherited;
  package Pack
  end Pack;
  model FromPackage
    extends Pack; // error I031 with package
  end FromPackage;
  function f
    output Real y = 1;
  end f;
  block FromFunction
    extends f; // error I031
  end FromFunction;
  connector C
    Real v;
  end C;
  record FromConnector
    extends C; // error I031
  end FromConnector;
  package FromModel
    extends A; // error I031
  end FromModel;
  model Component
    A a;
  end Component;
  model ExtendsComponent
    extends Component.a; // error I037
  end ExtendsComponent;
  model Chooses
    replaceable model R = A;
    model S
      extends R; // error I031 with replaceable
    end S;
  end Chooses;
end InheritanceRejected;
