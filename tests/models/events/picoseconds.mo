// Pulses of picoseconds: the times that scheduled relations compare are far below a nominal value
// of one second.
// expect max area <= 3.0001e-12
// expect event 1e-12
// expect event 2e-12
// expect event 3e-12
// expect event 4e-12
// expect event 5e-12
// expect max less <= 0
model Picoseconds
  parameter Real width = 1e-12;
  discrete Real begin(start=0, fixed=true);
  Real y = if time >= begin + width then 0 else 1;
  Real less = if time > 5e-12 then 2.9999e-12 - area else 0 "negative while there were pulses";
  Real area(start=0, fixed=true, nominal=1e-12);
equation
  when sample(0, 2e-12) then
    begin = time;
  end when;
  der(area) = y;
  annotation(experiment(StopTime=5.5e-12));
end Picoseconds;
