// Chapter 10.
// options --all
package ArraysRejected
  model Declarations
    Real a[-1]; // error I010
    Real b[1.5]; // error I103
    Real c["x"]; // error I103
    Real e[2] = {1, 2, 3}; // error I102
    Real f[2] = 1; // error I102
    Real g = {1}; // error I102
  end Declarations;
  model Constructors
    Real a[2] = {1, true}; // error I120
    Real b[2, 2] = [1, 2; 3]; // error I102
    Real c[2] = {1, {2}}; // error I120
  end Constructors;
  model Functions
    Real a = sum(1); // error I103
    Real b[2, 2] = identity(2.5); // error I103
    Real c = size({1, 2}, 2); // error I109
    Real d[3] = cross({1, 2}, {3, 4}); // error I103
    Real e = scalar({1, 2}); // error I103
    Real f[2] = vector([1, 2; 3, 4]); // error I103
    Real g[2, 2] = diagonal([1, 2]); // error I103
    Real h[2] = zeros(-2); // error I123
    Real i[2] = linspace(1, 2, 1); // error I123
    Real j[2, 2] = transpose({1, 2}); // error I103
    Real k[3] = cat(2, {1}, {2, 3}); // error I109
    Real l = min("a", "b"); // error I103
  end Functions;
  model Indices
    Real x[3] = {1, 2, 3};
    Real a = x[0]; // error I109
    Real b = x[4]; // error I109
    Real c = x[1.0]; // error I110
    Real d = x[1, 2]; // error I108
    Real e = x[true]; // error I110
    Real f[2] = x[2:4]; // error I109
  end Indices;
  model Operators
    Real v[2] = {1, 2}, w[3] = {1, 2, 3}, A[2, 2] = [1, 2; 3, 4], B[3, 3] = identity(3);
    Real a[2] = v + w; // error I102
    Real b[2] = v + 1; // error I102
    Real c[2] = A*w; // error I102
    Real d[2, 2] = A*B; // error I102
    Real e[2] = v/w; // error I101
    Real f[2, 2] = A^0.5; // error I101
    Real g[3, 3] = B^(-1); // error I123
    Boolean h = v > w; // error I101
    Real i[2] = v .* w; // error I102
    Real j[2] = -"a"; // error I101
    Boolean k = not 1; // error I101
    Boolean l = 1 and true; // error I101
    String m = "a" - "b"; // error I101
    Real n[2] = if time > 1 then v else w; // error I014
    Boolean o = v == w; // error I101
  end Operators;
end ArraysRejected;
