// Modifiers of a class hold for each element of an array of it.
// expect flat Real[2] 'a[2].h'(each start = 3.0, each nominal = 5.0)
// expect ok
package Medium
  type Enthalpy = Real(nominal = 1);
  model Properties
    Enthalpy h[2] = fill(time, 2);
  end Properties;
end Medium;
package Water
  extends Medium(Enthalpy(start = 3, nominal = 5));
end Water;
model M
  replaceable package P = Medium;
  P.Properties a[2];
end M;
model Classes
  extends M(redeclare package P = Water);
end Classes;
