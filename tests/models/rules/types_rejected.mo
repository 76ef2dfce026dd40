// Chapter 6 and sections 4.8, 4.9: types, enumerations, records, conversions.
// options --all
package TypesRejected
  type Colour = enumeration(red, green, blue);
  type Other = enumeration(red, green);
  record A
    Real x;
    Real y;
  end A;
  record B
    Real x;
    Integer z;
  end B;
  model Enumerations
    Colour a = Other.red; // error I103
    Colour b = 1; // error I103
    Colour c = Colour.yellow; // error I001
    Integer d = Colour.red; // error I103
    Boolean e = Colour.red == Other.red; // error I101
    Colour f = Colour(4); // error I123
    Colour g = Colour.red + Colour.green; // error I101
  end Enumerations;
  model Records
    A a = B(1, 2); // error I103
    A b = A(1); // error I107
    A c = A(1, 2, 3); // error I104
    A d = A(1, z = 2); // error I105
    A e = 1; // error I103
  end Records;
  model Numbers
    Integer a = 1.5; // error I103
    Integer b = 4/2; // error I103
    Integer c = 2^2; // error I103
    Real d = true; // error I103
    String e = 1; // error I103
    Boolean f = "true"; // error I103
    Real g = 1 + true; // error I101
    Real h = 2*"3"; // error I101
    Boolean i = true + false; // error I101
    Boolean j = 1 < true; // error I101
    Boolean k = not 1; // error I101
    Real l = if 1 then 2 else 3; // error I103
    Real m = abs("a"); // error I103
    Integer n = integer("3"); // error I103
    String o = String(A(1, 2)); // error I103
  end Numbers;
end TypesRejected;
