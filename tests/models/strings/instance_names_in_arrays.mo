// getInstanceName() of a component in an array has the component's own subscripts.
// expect flat 'a[2].n' = "InstanceNamesInArrays.a[2]"
// expect flat assert('a[2].b[3].x' > 0.0, "In InstanceNamesInArrays.a[2].b[3]: x must
// expect flat "InstanceNamesInArrays.c"
model InstanceNamesInArrays
  model Inner
    Real x = 1;
  equation
    assert(x > 0, "In " + getInstanceName() + ": x must be positive");
  end Inner;
  model Outer
    Inner b[3];
    parameter String n = getInstanceName();
  end Outer;
  Outer a[2];
  Outer c;
end InstanceNamesInArrays;
