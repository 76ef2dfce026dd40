// A function computes a capacitance from a voltage, yet its parameters make it zero: then the
// voltage is no state, and the node's current balance gives it. Partial evaluation of the function
// shows this before states are chosen.
// expect on.v(1) = 1 - exp(-2/3) ± 1e-5
// expect off.v(0) = 0.5 ± 1e-9
// expect off.v(0.25) = 0.5 + 0.5*sin(0.25)/2 ± 1e-9
// expect bent.v(1) = 1 - exp(-1/3) ± 1e-5
// options --set bent.p.area=1
package ZeroByFunction
  record Device
    Real area "of the junction";
    Real thickness;
  end Device;

  record Charge
    Real c "capacitance";
    Real spread[2];
    Real q;
  end Charge;

  function layer
    input Real v;
    input Real area;
    output Real c;
    output Real half;
  algorithm
    c := area;
    half := c/2;
    if v > 10 then
      c := area*(1 + v);
    elseif v < -10 then
      c := -v*area + half;
    end if;
  end layer;

  function device
    input Device p;
    input Real v[2];
    output Charge out;
  protected
    Real half;
    Real sum;
  algorithm
    (out.c, half) := layer(v[1] - v[2], p.area);
    sum := 0;
    for i in 1:2 loop
      out.spread[i] := half*v[i];
      sum := sum + out.spread[i];
    end for;
    out.c := (out.c + 2*half + out.spread[1]*0)*p.thickness;
    out.q := out.c*(v[1] - v[2]);
  end device;

  model Node
    parameter Device p(area=0.5, thickness=1.5);
    parameter Real g = 1;
    Real v(start=0);
    Real i;
    Charge x;
    Real u = 1;
  equation
    x = device(p, {v, 0});
    i = x.c*der(v);
    g*(u - v) = i;
  end Node;

  model Test
    Node on;
    Node off(p(area=0), g=2, u=0.5 + 0.5*sin(time)/2);
    Node bent(p(area=0), v(fixed=true));
  end Test;
end ZeroByFunction;
// model ZeroByFunction.Test
