// expect x(0) = 1.8474190378327326 ± 1e-9
// expect x(3.5) = 1.8474190378327326 ± 1e-6
// expect y(0) = 5 ± 1e-9
// expect integral.sum(2.5) = 2.5 ± 1e-6
// expect z(0) = 3 ± 1e-9
// expect limited.u(0) = 3 ± 1e-9
// A when-clause with initial() is a set of ordinary equations at the start. So a sampled controller
// and its steady plant are one system there: x^3 = 2*(5 - x), and y = 5 with an integral part.
model Controller
  parameter Real k = 2;
  parameter Real integrates = 0;
  parameter Real limit = 100;
  input Real error;
  discrete Real sum(start = 0), wanted(start = 0), u(start = 0);
equation
  when {initial(), sample(1, 1)} then
    sum = pre(sum) + integrates*error;
    wanted = k*(sum + error);
    if wanted > limit then
      u = limit;
    else
      u = wanted;
    end if;
  end when;
end Controller;

model WhenSteady
  Real x(start = 1), y(start = 1), z(start = 1);
  Controller proportional(error = 5 - x), integral(error = 5 - y, integrates = 1);
  Controller limited(error = 7 - z, limit = 3);
initial equation
  der(x) = 0;
  der(y) = 0;
  der(z) = 0;
  pre(integral.sum) = integral.sum;
equation
  der(x) = proportional.u - x^3;
  der(y) = integral.u - y;
  der(z) = limited.u - z;
  annotation(experiment(StopTime = 4));
end WhenSteady;
