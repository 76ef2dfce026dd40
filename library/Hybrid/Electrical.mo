within Hybrid;
package Electrical "Circuits with truly ideal switching elements"
  package Interfaces "Pins and partial elements"
    connector Pin "Pin of an electrical element"
      Units.Voltage v "Potential";
      flow Units.Current i "Current into the element";
      annotation (Icon(graphics={Rectangle(extent={{-40,40},{40,-40}}, lineColor={0,0,255},
        fillColor={0,0,255}, fillPattern=FillPattern.Solid)}));
    end Pin;

    connector PositivePin = Pin "Pin at which a positive current flows in"
      annotation (Icon(graphics={Rectangle(extent={{-40,40},{40,-40}}, lineColor={0,0,255},
        fillColor={0,0,255}, fillPattern=FillPattern.Solid)}));
    connector NegativePin = Pin "Pin at which a positive current flows out"
      annotation (Icon(graphics={Rectangle(extent={{-40,40},{40,-40}}, lineColor={0,0,255},
        fillColor={255,255,255}, fillPattern=FillPattern.Solid)}));

    partial model OnePort "Two pins, the voltage between them and the current through them"
      extends Icons.Element;
      Units.Voltage v "Voltage from p to n";
      Units.Current i "Current from p to n";
      PositivePin p annotation (Placement(transformation(extent={{-110,-10},{-90,10}})));
      NegativePin n annotation (Placement(transformation(extent={{90,-10},{110,10}})));
    equation
      v = p.v - n.v;
      0 = p.i + n.i;
      i = p.i;
      annotation (Icon(graphics={Line(points={{-90,0},{-60,0}}, color={0,0,255}),
        Line(points={{60,0},{90,0}}, color={0,0,255})}));
    end OnePort;

    partial model TwoPort "Two pairs of pins"
      extends Icons.Element;
      Units.Voltage v1 "Voltage at the left pair";
      Units.Voltage v2 "Voltage at the right pair";
      Units.Current i1 "Current into the left pair";
      Units.Current i2 "Current into the right pair";
      PositivePin p1 annotation (Placement(transformation(extent={{-110,40},{-90,60}})));
      NegativePin n1 annotation (Placement(transformation(extent={{-110,-60},{-90,-40}})));
      PositivePin p2 annotation (Placement(transformation(extent={{90,40},{110,60}})));
      NegativePin n2 annotation (Placement(transformation(extent={{90,-60},{110,-40}})));
    equation
      v1 = p1.v - n1.v;
      v2 = p2.v - n2.v;
      0 = p1.i + n1.i;
      0 = p2.i + n2.i;
      i1 = p1.i;
      i2 = p2.i;
    end TwoPort;

    partial model IdealSwitching "A characteristic of two half-lines: open (i = 0) or closed (v = "
      + "0), by a curve parameter"
      extends OnePort;
      Boolean off(start=true) "True while the element blocks";
    protected
      Real s(final unit="1", start=0) "Place on the characteristic: voltage while off, current "
        + "while on";
      constant Units.Voltage unitVoltage = 1;
      constant Units.Current unitCurrent = 1;
    equation
      v = unitVoltage*(if off then s else 0);
      i = unitCurrent*(if off then 0 else s);
    end IdealSwitching;
  end Interfaces;

  model Ground "Potential zero"
    Interfaces.Pin p annotation (Placement(transformation(extent={{-10,90},{10,110}})));
  equation
    p.v = 0;
    annotation (Icon(graphics={Line(points={{0,90},{0,20}}, color={0,0,255}),
      Line(points={{-50,20},{50,20}}, color={0,0,255}),
      Line(points={{-30,-5},{30,-5}}, color={0,0,255}), Line(points={{-12,-30},{12,-30}},
        color={0,0,255}),
      Text(extent={{-150,-45},{150,-85}}, textString="%name", textColor={0,0,255})}));
  end Ground;

  model Resistor "v = R*i"
    extends Interfaces.OnePort;
    parameter Units.Resistance R = 1 "Resistance";
  equation
    v = R*i;
    annotation (Icon(graphics={Rectangle(extent={{-60,24},{60,-24}}, lineColor={0,0,255},
      fillColor={255,255,255}, fillPattern=FillPattern.Solid),
      Text(extent={{-150,-40},{150,-80}}, textString="R=%R")}));
  end Resistor;

  model Conductor "i = G*v"
    extends Interfaces.OnePort;
    parameter Units.Conductance G = 1 "Conductance";
  equation
    i = G*v;
    annotation (Icon(graphics={Rectangle(extent={{-60,24},{60,-24}}, lineColor={0,0,255}),
      Text(extent={{-150,-40},{150,-80}}, textString="G=%G")}));
  end Conductor;

  model Capacitor "C*der(v) = i"
    extends Interfaces.OnePort(v(start=0));
    parameter Units.Capacitance C = 1 "Capacitance";
  equation
    C*der(v) = i;
    annotation (Icon(graphics={Line(points={{-90,0},{-8,0}}, color={0,0,255}),
      Line(points={{8,0},{90,0}}, color={0,0,255}),
      Line(points={{-8,40},{-8,-40}}, color={0,0,255}, thickness=1), Line(points={{8,40},{8,-40}},
        color={0,0,255}, thickness=1),
      Text(extent={{-150,-50},{150,-90}}, textString="C=%C")}));
  end Capacitor;

  model Inductor "L*der(i) = v"
    extends Interfaces.OnePort(i(start=0));
    parameter Units.Inductance L = 1 "Inductance";
  equation
    L*der(i) = v;
    annotation (Icon(graphics={Line(points={{-60,0},{-59,6},{-52,14},{-38,14},{-31,6},{-30,0}},
      color={0,0,255}, smooth=Smooth.Bezier),
      Line(points={{-30,0},{-29,6},{-22,14},{-8,14},{-1,6},{0,0}}, color={0,0,255},
        smooth=Smooth.Bezier),
      Line(points={{0,0},{1,6},{8,14},{22,14},{29,6},{30,0}}, color={0,0,255},
        smooth=Smooth.Bezier),
      Line(points={{30,0},{31,6},{38,14},{52,14},{59,6},{60,0}}, color={0,0,255},
        smooth=Smooth.Bezier),
      Text(extent={{-150,-40},{150,-80}}, textString="L=%L")}));
  end Inductor;

  // ---- sources ----

  partial model VoltageSource "Frame of voltage sources"
    extends Interfaces.OnePort;
    annotation (Icon(graphics={Ellipse(extent={{-50,50},{50,-50}}, lineColor={0,0,255},
      fillColor={255,255,255}, fillPattern=FillPattern.Solid),
      Line(points={{-50,0},{50,0}}, color={0,0,255}), Text(extent={{-120,50},{-20,0}},
        textString="+", textColor={0,0,255})}));
  end VoltageSource;

  model ConstantVoltage "Source of constant voltage"
    extends VoltageSource;
    parameter Units.Voltage V = 1 "Voltage";
  equation
    v = V;
    annotation (Icon(graphics={Text(extent={{-150,-60},{150,-100}}, textString="V=%V")}));
  end ConstantVoltage;

  model SineVoltage "Source of sinusoidal voltage"
    extends VoltageSource;
    parameter Units.Voltage V = 1 "Amplitude";
    parameter Units.Frequency f = 50 "Frequency";
    parameter Units.Angle phase = 0 "Phase";
    parameter Units.Voltage offset = 0 "Mean";
  protected
    constant Real pi = 3.141592653589793;
  equation
    v = offset + V*sin(2*pi*f*time + phase);
    annotation (Icon(graphics={Line(points={{-32,0},{-24,18},{-14,26},{-4,14},{4,-14},{14,-26},
      {24,-18},{32,0}}, color={0,0,255}, smooth=Smooth.Bezier)}));
  end SineVoltage;

  model PulseVoltage "Source of rectangular voltage"
    extends VoltageSource;
    parameter Units.Voltage V = 1 "Height";
    parameter Units.Time period(min=1e-60) = 1 "Period";
    parameter Real width(min=0, max=1) = 0.5 "Share of the period in which the voltage is on";
    Boolean on(start=false, fixed=true);
  protected
    Units.Time T0(start=0, fixed=true) "Start of the present period";
  equation
    when sample(0, period) then
      T0 = time;
    end when;
    on = time >= T0 and time < T0 + width*period;
    v = if on then V else 0;
    annotation (Icon(graphics={Line(points={{-32,-16},{-32,16},{0,16},{0,-16},{32,-16},{32,16}},
      color={0,0,255})}));
  end PulseVoltage;

  model SignalVoltage "Voltage given by a signal"
    extends VoltageSource;
    Blocks.RealInput u(unit="V") annotation (Placement(transformation(origin={0,100},
      extent={{-20,-20},{20,20}}, rotation=-90)));
  equation
    v = u;
  end SignalVoltage;

  partial model CurrentSource "Frame of current sources"
    extends Interfaces.OnePort;
    annotation (Icon(graphics={Ellipse(extent={{-50,50},{50,-50}}, lineColor={0,0,255},
      fillColor={255,255,255}, fillPattern=FillPattern.Solid),
      Line(points={{0,50},{0,-50}}, color={0,0,255}),
        Polygon(points={{90,0},{60,10},{60,-10},{90,0}}, lineColor={0,0,255}, fillColor={0,0,255},
        fillPattern=FillPattern.Solid)}));
  end CurrentSource;

  model ConstantCurrent "Source of constant current"
    extends CurrentSource;
    parameter Units.Current I = 1 "Current from p to n";
  equation
    i = I;
    annotation (Icon(graphics={Text(extent={{-150,-60},{150,-95}}, textString="I=%I")}));
  end ConstantCurrent;

  model SineCurrent "Source of sinusoidal current"
    extends CurrentSource;
    parameter Units.Current I = 1 "Amplitude";
    parameter Units.Frequency f = 50 "Frequency";
    parameter Units.Angle phase = 0 "Phase";
  protected
    constant Real pi = 3.141592653589793;
  equation
    i = I*sin(2*pi*f*time + phase);
    annotation (Icon(graphics={Line(points={{-30,0},{-15,22},{0,0},{15,-22},{30,0}},
      color={0,0,255}, smooth=Smooth.Bezier)}));
  end SineCurrent;

  model SignalCurrent "Current given by a signal"
    extends CurrentSource;
    Blocks.RealInput u(unit="A") annotation (Placement(transformation(origin={0,100},
      extent={{-20,-20},{20,20}}, rotation=-90)));
  equation
    i = u;
  end SignalCurrent;

  // ---- ideal switching elements ----

  model Switch "Ideal switch: open while the control is false"
    extends Interfaces.OnePort;
    Blocks.BooleanInput closed annotation (Placement(transformation(origin={0,100},
      extent={{-20,-20},{20,20}}, rotation=-90)));
  equation
    0 = if closed then v else i;
    annotation (Icon(graphics={Ellipse(extent={{-44,4},{-36,-4}}, lineColor={0,0,255}),
      Line(points={{-90,0},{-44,0}}, color={0,0,255}),
      Line(points={{-37,2},{40,42}}, color={0,0,255}), Line(points={{40,0},{90,0}},
        color={0,0,255})}),
      Documentation(info="<html><p>No leak, no resistance: <code>v = 0</code> while closed, "
        + "<code>i = 0</code> while open.</p></html>"));
  end Switch;

  model Diode "Ideal diode"
    extends Interfaces.IdealSwitching;
  equation
    off = s < 0;
    annotation (Icon(graphics={Polygon(points={{-30,40},{-30,-40},{30,0},{-30,40}},
      lineColor={0,0,255}, fillColor={255,255,255}, fillPattern=FillPattern.Solid),
      Line(points={{30,40},{30,-40}}, color={0,0,255}), Line(points={{-90,0},{90,0}},
        color={0,0,255})}),
      Documentation(info="<html><p>The characteristic is <code>v &lt;= 0, i = 0</code> and <code>v =
      0, i &gt;= 0</code>. One
      parameter runs along it.</p></html>"));
  end Diode;

  model Thyristor "Ideal thyristor: fired by a signal, extinguished by its current"
    extends Interfaces.IdealSwitching;
    Blocks.BooleanInput fire annotation (Placement(transformation(origin={60,100},
      extent={{-20,-20},{20,20}}, rotation=-90)));
  equation
    off = s < 0 or pre(off) and not fire;
    annotation (Icon(graphics={Polygon(points={{-30,40},{-30,-40},{30,0},{-30,40}},
      lineColor={0,0,255}, fillColor={255,255,255}, fillPattern=FillPattern.Solid),
      Line(points={{30,40},{30,-40}}, color={0,0,255}), Line(points={{-90,0},{90,0}},
        color={0,0,255}), Line(points={{30,20},{60,50},{60,90}}, color={0,0,255})}));
  end Thyristor;

  model GTO "Ideal gate turn-off thyristor: conducts while its signal is on and its current "
    + "positive"
    extends Interfaces.IdealSwitching;
    Blocks.BooleanInput fire annotation (Placement(transformation(origin={60,100},
      extent={{-20,-20},{20,20}}, rotation=-90)));
  equation
    off = s < 0 or not fire;
    annotation (Icon(graphics={Polygon(points={{-30,40},{-30,-40},{30,0},{-30,40}},
      lineColor={0,0,255}, fillColor={255,255,255}, fillPattern=FillPattern.Solid),
      Line(points={{30,40},{30,-40}}, color={0,0,255}), Line(points={{-90,0},{90,0}},
        color={0,0,255}), Line(points={{30,20},{60,50},{60,90}}, color={0,0,255}),
      Line(points={{40,60},{70,40}}, color={0,0,255})}));
  end GTO;

  model Transformer "Ideal transformer: v1 = n*v2, i2 = -n*i1"
    extends Interfaces.TwoPort;
    parameter Real n = 1 "Ratio of turns, left to right";
  equation
    v1 = n*v2;
    i2 = -n*i1;
    annotation (Icon(graphics={Ellipse(extent={{-46,40},{10,-40}}, lineColor={0,0,255}),
      Ellipse(extent={{-10,40},{46,-40}}, lineColor={0,0,255}),
      Line(points={{-90,50},{-18,50},{-18,40}}, color={0,0,255}),
        Line(points={{-90,-50},{-18,-50},{-18,-40}}, color={0,0,255}),
      Line(points={{90,50},{18,50},{18,40}}, color={0,0,255}),
        Line(points={{90,-50},{18,-50},{18,-40}}, color={0,0,255})}));
  end Transformer;

  model OpAmp "Ideal operational amplifier: no voltage and no current between its inputs"
    extends Icons.Element;
    Interfaces.Pin plus annotation (Placement(transformation(extent={{-110,-60},{-90,-40}})));
    Interfaces.Pin minus annotation (Placement(transformation(extent={{-110,40},{-90,60}})));
    Interfaces.Pin out annotation (Placement(transformation(extent={{90,-10},{110,10}})));
  equation
    plus.v = minus.v;
    plus.i = 0;
    minus.i = 0;
    annotation (Icon(graphics={Polygon(points={{-70,80},{-70,-80},{80,0},{-70,80}},
      lineColor={0,0,255}, fillColor={255,255,255}, fillPattern=FillPattern.Solid),
      Text(extent={{-60,60},{-30,35}}, textString="-"), Text(extent={{-60,-35},{-30,-60}},
        textString="+"), Line(points={{80,0},{90,0}}, color={0,0,255})}),
      Documentation(info="<html><p>The output delivers the current that keeps the inputs at one "
        + "potential; it needs negative feedback around it.</p></html>"));
  end OpAmp;

  // ---- sensors ----

  model VoltageSensor "Voltage between two pins, as a signal"
    extends Icons.Element;
    Interfaces.PositivePin p annotation (Placement(transformation(extent={{-110,-10},{-90,10}})));
    Interfaces.NegativePin n annotation (Placement(transformation(extent={{90,-10},{110,10}})));
    Blocks.RealOutput y(unit="V") annotation (Placement(transformation(origin={0,-100},
      extent={{-10,-10},{10,10}}, rotation=-90)));
  equation
    y = p.v - n.v;
    p.i = 0;
    n.i = 0;
    annotation (Icon(graphics={Line(points={{-90,0},{-50,0}}, color={0,0,255}),
      Line(points={{50,0},{90,0}}, color={0,0,255}), Line(points={{0,-50},{0,-90}},
      color={0,0,127}),
      Ellipse(extent={{-50,50},{50,-50}}, fillColor={245,245,245}, fillPattern=FillPattern.Solid),
        Text(extent={{-80,40},{80,-40}}, textString="V")}));
  end VoltageSensor;

  model CurrentSensor "Current through it, as a signal"
    extends Interfaces.OnePort;
    Blocks.RealOutput y(unit="A") annotation (Placement(transformation(origin={0,-100},
      extent={{-10,-10},{10,10}}, rotation=-90)));
  equation
    v = 0;
    y = i;
    annotation (Icon(graphics={Line(points={{0,-50},{0,-90}}, color={0,0,127}),
      Ellipse(extent={{-50,50},{50,-50}}, fillColor={245,245,245}, fillPattern=FillPattern.Solid),
      Text(extent={{-80,40},{80,-40}}, textString="A")}));
  end CurrentSensor;
  annotation (Documentation(info="<html><p>All switching elements are ideal: no leak resistances, no
  thresholds. If a switch changes the index of the circuit (a diode in
  series with an inductor, or across a capacitor), the simulator changes its plan.</p></html>"));
end Electrical;
