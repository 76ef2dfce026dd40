// expect error D011 line 6
model BadNondiscreteWhen "the condition of a when changes at events only"
  nondiscrete Boolean b = noEvent(sin(time) > 0.5);
  Integer n(start = 0, fixed = true);
equation
  when b then
    n = pre(n) + 1;
  end when;
end BadNondiscreteWhen;
