// The equation for a variable of a component stands in the component's class.
// expect error F015 line 4 with has 0 equations of its own for 1 unknown
model Foreign
  model M
    discrete Real x;
  end M;
  M m;
equation
  when sample(0, 1) then
    m.x = 1;
  end when;
end Foreign;
