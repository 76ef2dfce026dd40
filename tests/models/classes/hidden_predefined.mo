// expect ok
// The names of other predefined classes can be declared anew (section 4.8).
model M
  model StateSelect
    Real x = 1;
  end StateSelect;
  StateSelect s;
end M;
