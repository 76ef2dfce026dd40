model ParameterIf "a condition on parameters decides which equation there is, and with it what is "
  + "a state"
  model Pipe
    parameter Real m = 0;
    Real T(start = 1), q = 3 - 2*time;
  equation
    if m > 0 then
      m*der(T) = q - T;
    else
      0 = q - T;
    end if;
  end Pipe;
  Pipe empty, full(m = 1, T(fixed = true)), both[2](m = {2, 1}, each T(fixed = true));
  // expect empty.T(0.5) = 2 ± 1e-9
  // expect full.T(1) = 3 - 2*1 + 2 + (1 - 5)*exp(-1) ± 1e-5
  // expect both[1].T(1) = 3 - 2*1 + 4 + (1 - 7)*exp(-0.5) ± 1e-5
  // expect both[2].T(1) = 3 - 2*1 + 2 + (1 - 5)*exp(-1) ± 1e-5
end ParameterIf;
