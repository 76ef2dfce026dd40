// A volume without content: its mass is zero at all times, so its energy determines no enthalpy.
// The enthalpy is that of the flow. A relation elsewhere does not change this.
// expect h(1) = 3 + sin(1) ± 1e-6
// expect energy(1) = 0
// expect x(1) = 0 ± 1e-6
model EmptyVolume
  constant Real volume = 0;
  Real mass, energy(start = 0), h(start = 1), rate, x(start = 0.5, fixed = true);
equation
  mass = volume*1000;
  energy = mass*h;
  der(mass) = rate;
  der(energy) = 3 + sin(time) - h + rate;
  der(x) = if x > 0 then -1 else 0;
end EmptyVolume;
