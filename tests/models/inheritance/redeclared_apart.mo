// expect error I003 line 16 with element 'M'
package RedeclaredApart
  package A
    constant Integer n = 1;
  end A;
  package B
    constant Integer n = 2;
  end B;
  partial model First
    replaceable package M = A;
  end First;
  partial model Second
    replaceable package M = B;
  end Second;
  model Test
    extends First(redeclare replaceable package M = A); extends Second;
    Real y = M.n;
  end Test;
end RedeclaredApart;
