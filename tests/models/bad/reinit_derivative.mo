// expect error I103 line 7 with for a derivative, declare 'v = der(x)'
model Stop
  Real phi(start = 0, fixed = true);
equation
  der(der(phi)) = 1;
  when phi >= 0.3 then
    reinit(der(phi), -der(phi));
  end when;
end Stop;
