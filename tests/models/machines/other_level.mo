// expect error F019 line 11 with is not a component of this class
model OtherLevel
  block S
  end S;
  block Outer
    S inside;
  end Outer;
  S a;
  Outer o;
equation
  transition(a, o.inside, true, immediate = false);
end OtherLevel;
