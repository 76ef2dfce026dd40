model HalfWaveRectifier "A diode charges a capacitor; a resistor draws from it"
  Hybrid.Electrical.SineVoltage source(V=10, f=50)
    annotation (Placement(transformation(origin={-70,0}, extent={{-10,-10},{10,10}},
      rotation=-90)));
  Hybrid.Electrical.Diode diode
    annotation (Placement(transformation(extent={{-40,30},{-20,50}})));
  Hybrid.Electrical.Capacitor C(C=1e-4, v(start=0, fixed=true))
    annotation (Placement(transformation(extent={{-10,-10},{10,10}}, rotation=-90)));
  Hybrid.Electrical.Resistor R(R=100)
    annotation (Placement(transformation(origin={50,0}, extent={{-10,-10},{10,10}}, rotation=-90)));
  Hybrid.Electrical.Ground ground
    annotation (Placement(transformation(extent={{-10,-70},{10,-50}})));
equation
  connect(source.p, diode.p)
    annotation (Line(points={{-70,10},{-70,40},{-40,40}}, color={0,0,255}));
  connect(diode.n, C.p)
    annotation (Line(points={{-20,40},{0,40},{0,10}}, color={0,0,255}));
  connect(diode.n, R.p)
    annotation (Line(points={{-20,40},{50,40},{50,10}}, color={0,0,255}));
  connect(source.n, ground.p)
    annotation (Line(points={{-70,-10},{-70,-40},{0,-40},{0,-50}}, color={0,0,255}));
  connect(C.n, ground.p)
    annotation (Line(points={{0,-10},{0,-50}}, color={0,0,255}));
  connect(R.n, ground.p)
    annotation (Line(points={{50,-10},{50,-40},{0,-40},{0,-50}}, color={0,0,255}));
  annotation (
    experiment(StopTime=0.1, Tolerance=1e-8),
    Diagram(coordinateSystem(extent={{-100,-80},{80,60}})),
    Documentation(info="<html><p>While the diode conducts, the source fixes the voltage of the
    capacitor, which is then no state; while it blocks, the
    capacitor discharges into the resistor. The ripple shrinks as <code>C</code> or <code>R</code>
    grow: move their sliders.</p></html>"));
end HalfWaveRectifier;

// The diode blocks when its current C*der(v) + v/R comes to zero: tan(w*t) = -R*C*w. Then v decays
// as exp(-t/(R*C)) until it meets the source again, at the root of 10*sin(w*t) = v(t), found by
// bisection.
// expect event (pi - atan(2*pi*50*0.01))/(2*pi*50) ± 1e-9
// expect event 0.020701623472034917 ± 1e-9
// expect C.v(0.005) = 10 ± 1e-7
// expect C.v(0.015) = 3.8667837431331393 ± 1e-6
// expect events = 9
