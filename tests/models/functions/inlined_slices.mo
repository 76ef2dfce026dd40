// A function that is inlined if possible has a product of slices whose size changes at events.
// expect y(1) = 15 ± 1e-12
// expect z(1) = 5 ± 1e-12
// expect y(0.25) = 6 ± 1e-12
model InlinedSlices
  function dot
    input Real q[:];
    input Real k[size(q, 1)];
    input Integer c;
    output Real y;
  algorithm
    y := q[1:c]*k[1:c];
    annotation(Inline = true);
  end dot;

  parameter Real k[5] = {1, 2, 3, 4, 5};
  Integer c(start = 1, fixed = true);
  discrete Real y(start = 0, fixed = true);
  Real z = dot(ones(5), ones(5), c);
equation
  when sample(0.1, 0.1) then
    c = min(pre(c) + 1, 5);
    y = dot(ones(5), k, c);
  end when;
end InlinedSlices;
