within Hybrid;
package BondGraph "Bonds, junctions, storage and switches"
  connector BondPort "End of a bond: effort and flow; power e*f flows into the element"
    Real e "Effort";
    flow Real f "Flow into the element";
    annotation (Icon(graphics={Ellipse(extent={{-60,60},{60,-60}}, lineColor={0,0,0})}));
  end BondPort;

  partial model OnePort "An element with one bond"
    extends Icons.Element;
    BondPort port annotation (Placement(transformation(extent={{-110,-10},{-90,10}})));
    Real e "Effort";
    Real f "Flow into the element";
  equation
    e = port.e;
    f = port.f;
    annotation (Icon(graphics={Line(points={{-90,0},{-50,0}}), Line(points={{-66,14},{-50,0}}),
      Text(extent={{-46,40},{90,-40}}, textString="%class")}));
  end OnePort;

  model Bond "Joins two ports: effort and power pass, and half an arrow shows the positive "
    + "direction"
    extends Icons.Element;
    BondPort a annotation (Placement(transformation(extent={{-110,-10},{-90,10}})));
    BondPort b annotation (Placement(transformation(extent={{90,-10},{110,10}})));
    Real e "Effort";
    Real f "Flow from a to b";
  equation
    e = a.e;
    e = b.e;
    f = a.f;
    0 = a.f + b.f;
    annotation (Icon(graphics={Line(points={{-90,0},{90,0},{60,30}})}));
  end Bond;

  model CausalBond "A bond whose effort is given at a and whose flow is given at b"
    extends Bond;
    output Real effort = e "What a gives to b";
    output Real flowBack = f "What b gives to a";
    annotation (Icon(graphics={Line(points={{90,30},{90,-30}})}));
  end CausalBond;

  model Se "Source of effort"
    extends OnePort;
    input Real u;
  equation
    e = u;
  end Se;

  model Sf "Source of flow"
    extends OnePort;
    input Real u;
  equation
    f = -u;
  end Sf;

  model R "e = R*f"
    extends OnePort;
    parameter Real R = 1;
  equation
    e = R*f;
  end R;

  model C "C*der(e) = f"
    extends OnePort(e(start=0));
    parameter Real C = 1;
  equation
    C*der(e) = f;
  end C;

  model I "I*der(f) = e"
    extends OnePort(f(start=0));
    parameter Real I = 1;
  equation
    I*der(f) = e;
  end I;

  partial model TwoPort "An element with two bonds, power positive into it at both"
    extends Icons.Element;
    BondPort a annotation (Placement(transformation(extent={{-110,-10},{-90,10}})));
    BondPort b annotation (Placement(transformation(extent={{90,-10},{110,10}})));
    annotation (Icon(graphics={Line(points={{-90,0},{-60,0}}), Line(points={{60,0},{90,0}}),
      Text(extent={{-58,40},{58,-40}}, textString="%class")}));
  end TwoPort;

  model TF "Transformer: a.e = m*b.e, b.f = -m*a.f"
    extends TwoPort;
    parameter Real m = 1;
  equation
    a.e = m*b.e;
    b.f = -m*a.f;
  end TF;

  model GY "Gyrator: a.e = -r*b.f, b.e = r*a.f"
    extends TwoPort;
    parameter Real r = 1;
  equation
    a.e = -r*b.f;
    b.e = r*a.f;
  end GY;

  model J0 "0-junction: one effort, flows sum to zero"
    extends Icons.Element;
    parameter Integer n(min=1) = 3 "Number of bonds";
    BondPort port[n] annotation (Placement(transformation(extent={{-10,-10},{10,10}})));
    Real e "The effort of all";
  equation
    for k in 1:n loop
      port[k].e = e;
    end for;
    sum(port.f) = 0;
    annotation (Icon(graphics={Text(extent={{-60,60},{60,-60}}, textString="0")}));
  end J0;

  model J1 "1-junction: one flow, efforts sum to zero; direction[k] is 1 if power flows in at "
    + "bond k, -1 if it flows out"
    extends Icons.Element;
    parameter Integer n(min=1) = 3 "Number of bonds";
    parameter Integer direction[n] = fill(1, n) "Signs";
    BondPort port[n] annotation (Placement(transformation(extent={{-10,-10},{10,10}})));
    Real f "The flow of all";
  equation
    for k in 1:n loop
      port[k].f = direction[k]*f;
    end for;
    sum(direction[k]*port[k].e for k in 1:n) = 0;
    annotation (Icon(graphics={Text(extent={{-60,60},{60,-60}}, textString="1")}));
  end J1;

  model Sw "Ideal switch: no effort while on, no flow while off"
    extends OnePort;
    input Boolean on;
  equation
    0 = if on then e else f;
  end Sw;

  model D "Ideal diode: conducts positive flow"
    extends OnePort;
    Boolean off(start=true);
  protected
    Real s(start=0) "Place on the characteristic";
  equation
    off = s < 0;
    e = if off then s else 0;
    f = if off then 0 else s;
  end D;
  annotation (Documentation(info="<html><p>Bonds are acausal: a port has an effort and a flow. A
  connection of two ports is a bond; <code>Bond</code> makes it visible, <code>CausalBond</code>
  names its
  causality. Junctions have as many ports as they need.</p></html>"));
end BondGraph;
