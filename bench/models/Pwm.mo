model Pwm "A filter behind a switch that pulses with a sine's width: 1,000,000 time events, two "
  + "in each period"
  parameter Real T = 1e-4, L = 1e-3, C = 1e-5, R = 10;
  Real i(start = 0, fixed = true), u(start = 0, fixed = true);
  discrete Real off(start = 0, fixed = true);
  Boolean on = time < off;
equation
  when sample(0, T) then
    off = time + T*(0.5 + 0.4*sin(100*time));
  end when;
  L*der(i) = (if on then 100 else 0) - u;
  C*der(u) = i - u/R;
  annotation(experiment(StopTime = 50));
end Pwm;
