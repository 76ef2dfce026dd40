// The derivative of a rotated vector goes by the angular velocity, not by the derivative of the
// matrix: the matrix has fewer
// derivatives than the constraint. phi is prescribed by way of r[2]; the torque that this takes is
// J*phi''.
// expect phi(1.0) = 0.5 + 0.5*sin(1) ± 1e-7
// expect w(1.0) = 0.5*cos(1) ± 1e-7
// expect tau(1.0) = -0.5*2*sin(1) ± 1e-6
package derivative_of_rotation
  record Rotation
    Real T[2, 2];
    Real w;
  end Rotation;

  function plane
    input Real angle, rate;
    output Rotation R;
  algorithm
    R := Rotation([cos(angle), -sin(angle); sin(angle), cos(angle)], rate);
    annotation(Inline = true);
  end plane;

  function resolve
    input Rotation R;
    input Real v[2];
    output Real u[2];
  algorithm
    u := R.T*v;
    annotation(derivative(noDerivative = R) = resolve_der, InlineAfterIndexReduction = true);
  end resolve;

  function resolve_der
    input Rotation R;
    input Real v[2], v_der[2];
    output Real u_der[2];
  algorithm
    u_der := resolve(R, v_der + R.w*{-v[2], v[1]});
    annotation(Inline = true);
  end resolve_der;

  model Arm
    parameter Real J = 2;
    Real phi(start = 0.5), w, tau, r[2];
    Rotation R;
  equation
    w = der(phi);
    R = plane(phi, w);
    r = resolve(R, {1, 0});
    r[2] = sin(0.5 + 0.5*sin(time));
    J*der(w) = tau;
  end Arm;
end derivative_of_rotation;
// model derivative_of_rotation.Arm
