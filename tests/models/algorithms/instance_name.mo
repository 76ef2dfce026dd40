// expect flat "InstanceName.a.b"
// expect ok
model InstanceName
  model B
    parameter String s = getInstanceName();
  end B;
  model A
    B b;
  end A;
  A a;
end InstanceName;
