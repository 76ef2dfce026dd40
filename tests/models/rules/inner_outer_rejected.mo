// Section 5.4.
// model InnerOuterRejected.All
package InnerOuterRejected
  model Reads
    outer Real T;
    Real y = T;
  end Reads;
  model Whole
    outer Integer T; // error I038 with predefined types differ
    Real y = T;
  end Whole;
  model Value
    outer Real T = 2; // error I039 with cannot be modified
    Real y = T;
  end Value;
  partial model World
    parameter Real g = 9.81;
  end World;
  model Falls
    outer World world; // error I009 with world
    Real y = world.g;
  end Falls;
  model All
    inner Real T = 1;
    Reads modified(T = 3); // error I039 with cannot be modified
    Whole whole;
    Value value;
    Falls falls;
  end All;
end InnerOuterRejected;
