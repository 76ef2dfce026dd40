// expect error I013 line 8 with protected in 'A'
package A
protected
  model B
    Real x = 1;
  end B;
end A;
model M A.B b; end M;
