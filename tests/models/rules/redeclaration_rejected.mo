// Section 7.3.
// options --all
package RedeclarationRejected
  model A
    parameter Real x = 1;
  end A;
  model B
    extends A;
    parameter Real y = 2;
  end B;
  model C
    parameter Real z = 1;
  end C;
  model Has
    replaceable A a;
    A plain;
    replaceable A narrow constrainedby A;
    final replaceable A last;
    constant Real c = 1;
    replaceable model M = A;
    model N = A;
    replaceable A many[2];
  protected
    replaceable A hidden;
  end Has;
  model NotReplaceable
    Has h(redeclare B plain); // error I012
    Has i(redeclare model N = B); // error I012
  end NotReplaceable;
  model NoSubtype
    Has h(redeclare C a); // error I033 with x
    Has i(redeclare model M = C); // error I033 with x
  end NoSubtype;
  model Final
    Has h(redeclare B last); // error I012
  end Final;
  model Constant
    Has h(redeclare Real c = 2); // error I012
  end Constant;
  model Protected
    Has h(redeclare B hidden); // error I013
  end Protected;
  model Dimensions
    Has h(redeclare B many[2, 2]); // error I033
  end Dimensions;
  model NoSuch
    Has h(redeclare B nothing); // error I005
  end NoSuch;
  model KindOfElement
    Has h(redeclare model a = B); // error I012
    Has i(redeclare A M); // error I012
  end KindOfElement;
  model NotInherited
    redeclare model M = A; // error I012
  end NotInherited;
  model Once
    extends Has(redeclare B a);
  end Once;
  model Again
    Once o(redeclare A a); // error I012 with replaceable
  end Again;
  model Wider
    extends Has(redeclare replaceable B a constrainedby B);
  end Wider;
  model Narrower
    Wider w(redeclare A a); // error I033 with y
  end Narrower;
  model ConstraintIsNoSupertype
    replaceable A a constrainedby B; // error I033 with y
  end ConstraintIsNoSupertype;
end RedeclarationRejected;
