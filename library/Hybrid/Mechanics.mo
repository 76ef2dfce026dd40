within Hybrid;
package Mechanics "Bodies on lines and shafts, with friction, clutches, stops and impacts"
  package Translational "Along a line"
    connector Flange "A point of a body on a line"
      Units.Position s "Position";
      flow Units.Force f "Force into the element";
      annotation (Icon(graphics={Rectangle(extent={{-40,40},{40,-40}}, lineColor={0,127,0},
        fillColor={0,127,0}, fillPattern=FillPattern.Solid)}));
    end Flange;

    partial model Compliant "Two flanges without mass between them"
      extends Icons.Element;
      Flange a annotation (Placement(transformation(extent={{-110,-10},{-90,10}})));
      Flange b annotation (Placement(transformation(extent={{90,-10},{110,10}})));
      Units.Position s_rel(start=0) "Distance from a to b";
      Units.Force f "Force by which b is pulled towards a";
    equation
      s_rel = b.s - a.s;
      b.f = f;
      a.f = -f;
    end Compliant;

    model Fixed "A point at rest"
      extends Icons.Element;
      parameter Units.Position s0 = 0 "Position";
      Flange a annotation (Placement(transformation(extent={{-10,-10},{10,10}})));
    equation
      a.s = s0;
      annotation (Icon(graphics={Line(points={{-80,-40},{80,-40}}),
        Line(points={{0,-40},{0,-10}})}));
    end Fixed;

    model Mass "A body"
      extends Icons.Element;
      parameter Units.Mass m = 1 "Mass";
      Flange a annotation (Placement(transformation(extent={{-110,-10},{-90,10}})));
      Flange b annotation (Placement(transformation(extent={{90,-10},{110,10}})));
      Units.Position s(start=0) "Position";
      Units.Velocity v(start=0) "Velocity";
    equation
      a.s = s;
      b.s = s;
      der(s) = v;
      m*der(v) = a.f + b.f;
      annotation (Icon(graphics={Rectangle(extent={{-60,40},{60,-40}}, lineColor={0,127,0},
        fillColor={230,240,230}, fillPattern=FillPattern.Solid),
        Text(extent={{-150,-50},{150,-90}}, textString="m=%m")}));
    end Mass;

    model Spring "f = c*(s_rel - s_rel0)"
      extends Compliant;
      parameter Units.Stiffness c = 1 "Stiffness";
      parameter Units.Position s_rel0 = 0 "Length without force";
    equation
      f = c*(s_rel - s_rel0);
      annotation (Icon(graphics={Line(points={{-90,0},{-60,0},{-45,25},{-15,-25},{15,25},{45,-25},
        {60,0},{90,0}}, color={0,127,0})}));
    end Spring;

    model Damper "f = d*der(s_rel)"
      extends Compliant;
      parameter Units.Damping d = 1 "Damping";
    equation
      f = d*der(s_rel);
      annotation (Icon(graphics={Line(points={{-90,0},{60,0}}, color={0,127,0}),
        Rectangle(extent={{-50,30},{40,-30}}, lineColor={0,127,0}), Line(points={{40,0},{90,0}},
        color={0,127,0})}));
    end Damper;

    model Force "Force given by a signal"
      extends Icons.Element;
      Blocks.RealInput u(unit="N")
        annotation (Placement(transformation(extent={{-140,-20},{-100,20}})));
      Flange b annotation (Placement(transformation(extent={{90,-10},{110,10}})));
    equation
      b.f = -u;
      annotation (Icon(graphics={Polygon(points={{-90,10},{30,10},{30,40},{90,0},{30,-40},{30,-10},
        {-90,-10},{-90,10}}, lineColor={0,127,0}, fillColor={0,127,0},
        fillPattern=FillPattern.Solid)}));
    end Force;

    model Friction "Dry friction between two flanges, fully declarative"
      extends Compliant;
      parameter Units.Force f0(min=0) = 1 "Friction at rest, and at the smallest speed";
      parameter Units.Damping f1 = 0 "Growth of friction with speed";
      Units.Velocity v_rel(start=0) "Relative velocity";
      Real s(start=0)
        "Place on the characteristic: velocity while it slides, force while it sticks";
    protected
      constant Units.Velocity unitVelocity = 1;
    equation
      v_rel = der(s_rel);
      if s > 1 then
        v_rel = unitVelocity*(s - 1);
        f = f0 + f1*v_rel;
      elseif s < -1 then
        v_rel = unitVelocity*(s + 1);
        f = -f0 + f1*v_rel;
      else
        v_rel = 0;
        f = f0*s;
      end if;
      annotation (Icon(graphics={Rectangle(extent={{-80,30},{80,0}}, lineColor={0,127,0},
        fillColor={200,200,200}, fillPattern=FillPattern.Forward),
        Rectangle(extent={{-80,0},{80,-30}}, lineColor={0,127,0}, fillColor={230,230,230},
          fillPattern=FillPattern.Backward)}),
        Documentation(info="<html><p>One curve parameter runs along the characteristic. There is no
        mode variable and no equation for the acceleration: while the
        element sticks, <code>v_rel = 0</code> is a constraint, and the simulator changes the
        structure of the model.</p></html>"));
    end Friction;

    model Stop "A wall at both ends of the way: an impact there with restitution e"
      extends Icons.Element;
      parameter Units.Mass m = 1 "Mass of the body";
      parameter Units.Position smin = -1 "Lower end";
      parameter Units.Position smax = 1 "Upper end";
      parameter Real e(min=0, max=1) = 0.7 "Restitution";
      Flange a annotation (Placement(transformation(extent={{-110,-10},{-90,10}})));
      Flange b annotation (Placement(transformation(extent={{90,-10},{110,10}})));
      Units.Position s(start=0) "Position";
      Units.Velocity v(start=0) "Velocity";
    equation
      a.s = s;
      b.s = s;
      der(s) = v;
      m*der(v) = a.f + b.f;
      when s <= smin then
        reinit(v, -e*pre(v));
      elsewhen s >= smax then
        reinit(v, -e*pre(v));
      end when;
      annotation (Icon(graphics={Rectangle(extent={{-40,40},{40,-40}}, lineColor={0,127,0},
        fillColor={230,240,230}, fillPattern=FillPattern.Solid),
        Line(points={{-70,60},{-70,-60}}, thickness=1), Line(points={{70,60},{70,-60}},
          thickness=1)}));
    end Stop;

    model Backlash "No force within the gap, a stiff spring with damping beyond it"
      extends Compliant;
      parameter Units.Position gap(min=0) = 0.01 "Width of the gap";
      parameter Units.Stiffness c = 1e4 "Stiffness of the contact";
      parameter Units.Damping d = 10 "Damping of the contact";
    equation
      f = if s_rel > gap/2 then c*(s_rel - gap/2) + d*der(s_rel)
          elseif s_rel < -gap/2 then c*(s_rel + gap/2) + d*der(s_rel) else 0;
      annotation (Icon(graphics={Line(points={{-90,0},{-20,0},{-20,30}}, color={0,127,0}),
        Line(points={{-20,-30},{-20,0}}, color={0,127,0}),
        Line(points={{20,40},{-40,40},{-40,-40},{20,-40}}, color={0,127,0}),
          Line(points={{20,0},{90,0}}, color={0,127,0})}));
    end Backlash;
  end Translational;

  package Rotational "Around an axis"
    connector Flange "A point of a shaft"
      Units.Angle phi "Angle";
      flow Units.Torque tau "Torque into the element";
      annotation (Icon(graphics={Ellipse(extent={{-40,40},{40,-40}}, lineColor={95,95,95},
        fillColor={95,95,95}, fillPattern=FillPattern.Solid)}));
    end Flange;

    partial model Compliant "Two flanges without inertia between them"
      extends Icons.Element;
      Flange a annotation (Placement(transformation(extent={{-110,-10},{-90,10}})));
      Flange b annotation (Placement(transformation(extent={{90,-10},{110,10}})));
      Units.Angle phi_rel(start=0) "Angle from a to b";
      Units.Torque tau "Torque by which b is turned towards a";
    equation
      phi_rel = b.phi - a.phi;
      b.tau = tau;
      a.tau = -tau;
    end Compliant;

    model Fixed "A point at rest"
      extends Icons.Element;
      parameter Units.Angle phi0 = 0 "Angle";
      Flange a annotation (Placement(transformation(extent={{-10,-10},{10,10}})));
    equation
      a.phi = phi0;
      annotation (Icon(graphics={Line(points={{0,0},{0,-40}}), Line(points={{-40,-40},{40,-40}}),
        Line(points={{-40,-60},{-20,-40}}), Line(points={{-15,-60},{5,-40}}),
        Line(points={{10,-60},{30,-40}})}));
    end Fixed;

    model Inertia "A turning body"
      extends Icons.Element;
      parameter Units.Inertia J = 1 "Moment of inertia";
      Flange a annotation (Placement(transformation(extent={{-110,-10},{-90,10}})));
      Flange b annotation (Placement(transformation(extent={{90,-10},{110,10}})));
      Units.Angle phi(start=0) "Angle";
      Units.AngularVelocity w(start=0) "Speed";
    equation
      a.phi = phi;
      b.phi = phi;
      der(phi) = w;
      J*der(w) = a.tau + b.tau;
      annotation (Icon(graphics={Rectangle(extent={{-90,12},{90,-12}}, lineColor={95,95,95},
        fillColor={200,200,200}, fillPattern=FillPattern.HorizontalCylinder),
        Rectangle(extent={{-40,60},{40,-60}}, lineColor={95,95,95}, fillColor={220,220,220},
          fillPattern=FillPattern.HorizontalCylinder),
        Text(extent={{-150,-70},{150,-110}}, textString="J=%J")}));
    end Inertia;

    model Spring "tau = c*(phi_rel - phi_rel0)"
      extends Compliant;
      parameter Units.RotationalStiffness c = 1 "Stiffness";
      parameter Units.Angle phi_rel0 = 0 "Angle without torque";
    equation
      tau = c*(phi_rel - phi_rel0);
      annotation (Icon(graphics={Line(points={{-90,0},{-60,0},{-45,28},{-15,-28},{15,28},{45,-28},
        {60,0},{90,0}}), Text(extent={{-150,-60},{150,-95}}, textString="c=%c")}));
    end Spring;

    model Damper "tau = d*der(phi_rel)"
      extends Compliant;
      parameter Units.RotationalDamping d = 1 "Damping";
    equation
      tau = d*der(phi_rel);
      annotation (Icon(graphics={Line(points={{-90,0},{90,0}}),
        Rectangle(extent={{-50,30},{40,-30}}, lineColor={95,95,95}, fillColor={192,192,192},
        fillPattern=FillPattern.Solid),
        Line(points={{-60,-30},{40,-30}}), Line(points={{-60,30},{40,30}}),
          Text(extent={{-150,-60},{150,-95}}, textString="d=%d")}));
    end Damper;

    model Gear "Ideal gear: a.phi = ratio*b.phi"
      extends Icons.Element;
      parameter Real ratio = 1 "Turns of a for one of b";
      Flange a annotation (Placement(transformation(extent={{-110,-10},{-90,10}})));
      Flange b annotation (Placement(transformation(extent={{90,-10},{110,10}})));
    equation
      a.phi = ratio*b.phi;
      0 = ratio*a.tau + b.tau;
      annotation (Icon(graphics={Rectangle(extent={{-90,8},{-20,-8}}, lineColor={95,95,95},
        fillColor={215,215,215}, fillPattern=FillPattern.HorizontalCylinder),
        Rectangle(extent={{20,8},{90,-8}}, lineColor={95,95,95}, fillColor={215,215,215},
          fillPattern=FillPattern.HorizontalCylinder),
        Rectangle(extent={{-30,50},{-10,-50}}, lineColor={95,95,95}, fillColor={215,215,215},
          fillPattern=FillPattern.HorizontalCylinder),
        Rectangle(extent={{10,25},{30,-25}}, lineColor={95,95,95}, fillColor={215,215,215},
          fillPattern=FillPattern.HorizontalCylinder),
        Rectangle(extent={{-10,50},{10,38}}, lineColor={95,95,95}),
          Text(extent={{-150,-60},{150,-95}}, textString="ratio=%ratio")}));
    end Gear;

    model Torque "Torque given by a signal"
      extends Icons.Element;
      Blocks.RealInput u(unit="N.m")
        annotation (Placement(transformation(extent={{-140,-20},{-100,20}})));
      Flange b annotation (Placement(transformation(extent={{90,-10},{110,10}})));
    equation
      b.tau = -u;
      annotation (Icon(graphics={Line(points={{-70,-10},{-50,35},{0,55},{50,35},{70,5}},
        thickness=0.5, smooth=Smooth.Bezier),
        Polygon(points={{90,0},{72,35},{42,12},{90,0}}, fillPattern=FillPattern.Solid),
          Line(points={{-100,0},{-84,0}}, color={0,0,127})}));
    end Torque;

    partial model FrictionCurve "Dry friction, fully declarative, of a magnitude that may vary"
      extends Compliant;
      Units.Torque tau0 "Friction at rest, and at the smallest speed";
      Units.AngularVelocity w_rel(start=0) "Relative speed";
      Real s(start=0) "Place on the characteristic: speed while it slides, torque while it sticks";
    protected
      constant Units.AngularVelocity unitSpeed = 1;
    equation
      w_rel = der(phi_rel);
      if s > 1 then
        w_rel = unitSpeed*(s - 1);
        tau = tau0;
      elseif s < -1 then
        w_rel = unitSpeed*(s + 1);
        tau = -tau0;
      else
        w_rel = 0;
        tau = tau0*s;
      end if;
      annotation (Icon(graphics={Rectangle(extent={{-90,8},{-30,-8}}, lineColor={95,95,95},
        fillColor={215,215,215}, fillPattern=FillPattern.HorizontalCylinder),
        Rectangle(extent={{30,8},{90,-8}}, lineColor={95,95,95}, fillColor={215,215,215},
          fillPattern=FillPattern.HorizontalCylinder),
        Rectangle(extent={{-30,45},{-5,-45}}, lineColor={95,95,95}, fillColor={230,230,230},
          fillPattern=FillPattern.Solid),
        Rectangle(extent={{5,45},{30,-45}}, lineColor={95,95,95}, fillColor={230,230,230},
          fillPattern=FillPattern.Solid),
        Rectangle(extent={{-5,45},{5,-45}}, fillColor={255,255,255},
          fillPattern=FillPattern.Forward)}));
    end FrictionCurve;

    model Friction "Dry friction between two flanges"
      extends FrictionCurve;
      parameter Units.Torque tauMax(min=0) = 1 "Friction";
    equation
      tau0 = tauMax;
    end Friction;

    model StickSlip "Friction with a peak at rest and growth with speed, by a mode and a curve "
      + "parameter"
      extends Compliant;
      parameter Units.Torque tauC(min=0) = 1 "Friction at the smallest speed";
      parameter Units.Torque tauMax(min=0) = tauC "Torque at which it starts to slide";
      parameter Units.RotationalDamping d = 0 "Growth with speed";
      Units.AngularVelocity w_rel(start=0) "Relative speed";
      Units.AngularAcceleration a_rel "Relative acceleration";
      Boolean forward(start=false, fixed=true), backward(start=false, fixed=true) "It slides";
      Boolean up, down "It starts to slide";
    protected
      Real s(start=0) "Place on the characteristic: speed, acceleration or torque";
      final parameter Real peak = tauMax/tauC;
      Boolean fast, fastBack;
    equation
      w_rel = der(phi_rel);
      a_rel = der(w_rel);
      fast = pre(forward) and s > 1;
      fastBack = pre(backward) and s < -1;
      up = not (fast or fastBack) and s > peak;
      down = not (fast or fastBack) and s < -peak;
      forward = fast or up and w_rel > 0;
      backward = fastBack or down and w_rel < 0;
      0 = if fast then w_rel - (s - 1) elseif fastBack then w_rel - (s + 1)
          elseif up then a_rel - (s - peak) elseif down then a_rel - (s + peak) else a_rel;
      tau = if fast or up then tauC + d*w_rel elseif fastBack or down then -tauC + d*w_rel else
        tauC*s;
      annotation (Icon(graphics={Rectangle(extent={{-90,8},{-30,-8}}, lineColor={95,95,95},
        fillColor={215,215,215}, fillPattern=FillPattern.HorizontalCylinder),
        Rectangle(extent={{30,8},{90,-8}}, lineColor={95,95,95}, fillColor={215,215,215},
          fillPattern=FillPattern.HorizontalCylinder),
        Rectangle(extent={{-30,45},{-5,-45}}, lineColor={95,95,95}, fillColor={230,230,230},
          fillPattern=FillPattern.Solid),
        Rectangle(extent={{5,45},{30,-45}}, lineColor={95,95,95}, fillColor={230,230,230},
          fillPattern=FillPattern.Solid),
        Rectangle(extent={{-5,45},{5,-45}}, fillColor={255,255,255},
          fillPattern=FillPattern.CrossDiag)}),
        Documentation(info="<html><p>The element of section 5.3 of the 1999 report. Between sliding
        forward and backward, s runs along the characteristic: it is the speed while the
      element slides, the acceleration while it starts to, and the torque while it
      sticks.</p></html>"));
    end StickSlip;

    model Clutch "A rigid clutch: one speed while engaged, no torque otherwise"
      extends Compliant;
      Blocks.BooleanInput engaged annotation (Placement(transformation(origin={0,100},
        extent={{-20,-20},{20,20}}, rotation=-90)));
      Units.AngularVelocity w_rel(start=0) "Relative speed";
    equation
      w_rel = der(phi_rel);
      0 = if engaged then w_rel else tau;
      annotation (Icon(graphics={Rectangle(extent={{-30,60},{-10,-60}}, lineColor={95,95,95},
        fillColor={200,200,200}, fillPattern=FillPattern.Solid),
        Rectangle(extent={{10,60},{30,-60}}, lineColor={95,95,95}, fillColor={200,200,200},
          fillPattern=FillPattern.Solid)}),
        Documentation(info="<html><p>When it is engaged at different speeds, both sides jump to "
          + "the speed that keeps the momentum.</p></html>"));
    end Clutch;

    model FrictionClutch "A clutch by dry friction, pressed by a signal between 0 and 1"
      extends FrictionCurve;
      parameter Units.Torque tauMax(min=0) = 1 "Friction at full pressure";
      Blocks.RealInput u(min=0, max=1) annotation (Placement(transformation(origin={0,100},
        extent={{-20,-20},{20,20}}, rotation=-90)));
    equation
      tau0 = tauMax*u;
    end FrictionClutch;

    model Brake "Dry friction against the ground, pressed by a signal between 0 and 1"
      extends Icons.Element;
      parameter Units.Torque tauMax(min=0) = 1 "Friction at full pressure";
      Blocks.RealInput u(min=0, max=1) annotation (Placement(transformation(origin={0,100},
        extent={{-20,-20},{20,20}}, rotation=-90)));
      Flange a annotation (Placement(transformation(extent={{-110,-10},{-90,10}})));
      FrictionClutch clutch(tauMax=tauMax);
      Fixed ground;
    equation
      clutch.u = u;
      connect(a, clutch.b);
      connect(clutch.a, ground.a);
      annotation (Icon(graphics={Rectangle(extent={{-90,8},{-10,-8}}, lineColor={95,95,95},
        fillColor={215,215,215}, fillPattern=FillPattern.HorizontalCylinder),
        Rectangle(extent={{-10,50},{15,-50}}, lineColor={95,95,95}, fillColor={230,230,230},
          fillPattern=FillPattern.Solid),
        Rectangle(extent={{15,80},{40,20}}, fillColor={200,200,200},
          fillPattern=FillPattern.Forward), Line(points={{28,20},{28,-60}}),
        Line(points={{0,-60},{60,-60}})}));
    end Brake;

    model DCMotor "Direct-current machine with armature resistance and inductance"
      extends Icons.Element;
      parameter Units.Resistance R = 1 "Resistance of the armature";
      parameter Units.Inductance L = 1e-3 "Inductance of the armature";
      parameter Units.TorqueConstant k = 0.1 "Torque for one ampere";
      parameter Units.Inertia J = 1e-3 "Inertia of the rotor";
      Electrical.Interfaces.PositivePin p
        annotation (Placement(transformation(extent={{-70,90},{-50,110}})));
      Electrical.Interfaces.NegativePin n
        annotation (Placement(transformation(extent={{50,90},{70,110}})));
      Flange b annotation (Placement(transformation(extent={{90,-10},{110,10}})));
      Units.Current i(start=0) "Current of the armature";
      Units.AngularVelocity w(start=0) "Speed of the rotor";
    equation
      p.i + n.i = 0;
      i = p.i;
      p.v - n.v = R*i + L*der(i) + k*w;
      w = der(b.phi);
      J*der(w) = k*i + b.tau;
      annotation (Icon(graphics={Ellipse(extent={{-60,60},{60,-60}}, lineColor={95,95,95},
        fillColor={230,230,230}, fillPattern=FillPattern.Solid), Text(extent={{-40,30},{40,-30}},
        textString="M")}));
    end DCMotor;
  end Rotational;
end Mechanics;
