package MovementBySignals "The derivatives of a position are signals of their own; the body of a "
  + "call looks like other equations"
  function position
    input Real q_qd_qdd[3];
    input Real dummy;
    output Real q = q_qd_qdd[1];
    annotation(derivative(noDerivative = q_qd_qdd) = speed, LateInline = true);
  end position;
  function speed
    input Real q_qd_qdd[3];
    input Real dummy;
    input Real dummy_der;
    output Real qd = q_qd_qdd[2];
    annotation(derivative(noDerivative = q_qd_qdd, order = 2) = acceleration, LateInline = true);
  end speed;
  function acceleration
    input Real q_qd_qdd[3];
    input Real dummy;
    input Real dummy_der;
    input Real dummy_der2;
    output Real qdd = q_qd_qdd[3];
  end acceleration;
  model Test "Two inertias, 1.1 and 2.2; the second follows the signals of the first"
    Real phi(start = 0, fixed = true), w(start = 0, fixed = true), a, tau;
    Real phi2, w2, a2;
    Real wSignal = der(phi), aSignal = der(wSignal);
  equation
    w = der(phi);
    a = der(w);
    1.1*a = sin(time) - tau;
    phi2 = position({phi, wSignal, aSignal}, time);
    w2 = der(phi2);
    a2 = der(w2);
    2.2*a2 = tau;
  end Test;
end MovementBySignals;
// model MovementBySignals.Test
// options --tolerance 1e-9
// expect phi2(1) = (1 - sin(1))/3.3 ± 1e-7
// expect w2(1) = (1 - cos(1))/3.3 ± 1e-7
// expect tau(1) = 2*sin(1)/3 ± 1e-9
