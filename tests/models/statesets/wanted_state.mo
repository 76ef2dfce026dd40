// Mass and energy of a vessel are differentiated, level and temperature are wanted as states: they
// become states, and mass and energy follow explicitly. The
// energy is a function without inverse and without derivative annotation; its tangent is linear in
// the rates, and so are the equations for them.
// The vessel is filled with water at 350 and leaks at its own temperature: d(m*u)/dt = 2*u(350) -
// u(T), so m*d(u)/dt = 2*(u(350) - u(T)) with m = 1 + t.
// solvers cvode dopri5 radau
// options --stop-time 3 --tolerance 1e-9
// expect equations STATES level T DIFFERENTIATED
// expect equations The system of equations is linear
// expect T(0) = 300 ± 1e-9
// expect level(3) = 2 ± 1e-8
// expect T(3) = (-4 + sqrt(16 + 4*0.01*(4*350 + 0.01*350**2 + (4*300 + 0.01*300**2 - 4*350 - 0.01*350**2)/16)))/0.02 ± 1e-5
model WantedState
  function energy
    input Real T;
    output Real u;
  protected
    Real s = 0;
    Integer i = 1;
  algorithm
    while i <= (if T > 0 then 2 else 1) loop
      s := s + (if i == 1 then 4*T else 0.01*T^2);
      i := i + 1;
    end while;
    u := s;
  end energy;
  parameter Real A = 2;
  Real level(start = 0.5, fixed = true, stateSelect = StateSelect.prefer);
  Real T(start = 300, fixed = true, stateSelect = StateSelect.prefer);
  Real m, U, u;
equation
  m = A*level;
  u = energy(T);
  U = m*u;
  der(m) = 2 - 1;
  der(U) = 2*energy(350) - u;
end WantedState;
