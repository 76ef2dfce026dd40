within Hybrid;
package Blocks "Signals: continuous, sampled, logical; automata and nets"
  connector RealInput = input Real "Signal into a block"
    annotation (Icon(graphics={Polygon(points={{-100,100},{100,0},{-100,-100},{-100,100}},
    lineColor={0,0,127}, fillColor={0,0,127}, fillPattern=FillPattern.Solid)}));
  connector RealOutput = output Real "Signal out of a block"
    annotation (Icon(graphics={Polygon(points={{-100,100},{100,0},{-100,-100},{-100,100}},
    lineColor={0,0,127}, fillColor={255,255,255}, fillPattern=FillPattern.Solid)}));
  connector BooleanInput = input Boolean "Logical signal into a block"
    annotation (Icon(graphics={Polygon(points={{-100,100},{100,0},{-100,-100},{-100,100}},
    lineColor={255,0,255}, fillColor={255,0,255}, fillPattern=FillPattern.Solid)}));
  connector BooleanOutput = output Boolean "Logical signal out of a block"
    annotation (Icon(graphics={Polygon(points={{-100,100},{100,0},{-100,-100},{-100,100}},
    lineColor={255,0,255}, fillColor={255,255,255}, fillPattern=FillPattern.Solid)}));

  partial block SISO "One input, one output"
    extends Icons.Block;
    RealInput u annotation (Placement(transformation(extent={{-140,-20},{-100,20}})));
    RealOutput y annotation (Placement(transformation(extent={{100,-10},{120,10}})));
  end SISO;

  // ---- sources ----

  partial block SO "One output"
    extends Icons.Block;
    RealOutput y annotation (Placement(transformation(extent={{100,-10},{120,10}})));
  end SO;

  block Constant "y = k"
    extends SO;
    parameter Real k = 1 "Value";
  equation
    y = k;
    annotation (Icon(graphics={Line(points={{-80,-80},{-80,70}}, color={192,192,192},
      arrow={Arrow.None,Arrow.Filled}),
      Line(points={{-80,-70},{80,-70}}, color={192,192,192}, arrow={Arrow.None,Arrow.Filled}),
        Line(points={{-80,0},{80,0}}),
      Text(extent={{-80,60},{80,20}}, textString="%k")}));
  end Constant;

  block Step "Jumps from offset to offset + height"
    extends SO;
    parameter Real height = 1;
    parameter Real offset = 0;
    parameter Units.Time startTime = 0;
  equation
    y = offset + (if time < startTime then 0 else height);
    annotation (Icon(graphics={Line(points={{-80,-80},{-80,70}}, color={192,192,192},
      arrow={Arrow.None,Arrow.Filled}),
      Line(points={{-80,-70},{80,-70}}, color={192,192,192}, arrow={Arrow.None,Arrow.Filled}),
        Line(points={{-80,-60},{0,-60},{0,40},{80,40}})}));
  end Step;

  block Sine "A sine"
    extends SO;
    parameter Real amplitude = 1;
    parameter Units.Frequency f = 1;
    parameter Units.Angle phase = 0;
    parameter Real offset = 0;
  protected
    constant Real pi = 3.141592653589793;
  equation
    y = offset + amplitude*sin(2*pi*f*time + phase);
    annotation (Icon(graphics={Line(points={{-80,-80},{-80,70}}, color={192,192,192},
      arrow={Arrow.None,Arrow.Filled}),
      Line(points={{-80,-70},{80,-70}}, color={192,192,192}, arrow={Arrow.None,Arrow.Filled}),
      Line(points={{-80,0},{-60,50},{-40,60},{-20,40},{0,0},{20,-40},{40,-60},{60,-50},{80,0}},
        smooth=Smooth.Bezier)}));
  end Sine;

  // ---- continuous ----

  block Gain "y = k*u"
    extends SISO;
    parameter Real k = 1;
  equation
    y = k*u;
    annotation (Icon(graphics={Text(extent={{-80,40},{80,-40}}, textString="%k")}));
  end Gain;

  block Integrator "der(y) = k*u"
    extends SISO(y(start=0));
    parameter Real k = 1;
  equation
    der(y) = k*u;
    annotation (Icon(graphics={Line(points={{-45,0},{45,0}}), Text(extent={{-60,60},{60,8}},
      textString="%k"), Text(extent={{-60,-8},{60,-60}}, textString="s")}));
  end Integrator;

  block FirstOrder "T*der(y) + y = k*u"
    extends SISO(y(start=0));
    parameter Real k = 1;
    parameter Units.Time T = 1;
  equation
    T*der(y) + y = k*u;
    annotation (Icon(graphics={Line(points={{-70,0},{70,0}}), Text(extent={{-70,60},{70,8}},
      textString="k"), Text(extent={{-70,-8},{70,-60}}, textString="T s + 1")}));
  end FirstOrder;

  // ---- switching ----

  block Limiter "The signal between two limits"
    extends SISO;
    parameter Real uMax = 1;
    parameter Real uMin = -uMax;
  equation
    y = if u > uMax then uMax elseif u < uMin then uMin else u;
    annotation (Icon(graphics={Line(points={{-80,-50},{-40,-50},{40,50},{80,50}},
      color={0,0,127})}));
  end Limiter;

  block Relay "High above zero, low below; with memory if the hysteresis is wider than 0"
    extends SISO;
    parameter Real high = 1;
    parameter Real low = -1;
    parameter Real width(min=0) = 0 "Half width of the hysteresis";
    Boolean on(start=false, fixed=true);
  equation
    on = u > width or pre(on) and u > -width;
    y = if on then high else low;
    annotation (Icon(graphics={Line(points={{-80,-50},{0,-50},{0,50},{80,50}}, color={0,0,127})}));
  end Relay;

  block Hysteresis "Switches up at uHigh, down at uLow"
    extends Icons.Block;
    parameter Real uLow = 0;
    parameter Real uHigh = 1;
    parameter Boolean start = false "Value before the start";
    RealInput u annotation (Placement(transformation(extent={{-140,-20},{-100,20}})));
    BooleanOutput y(start=start, fixed=true)
      annotation (Placement(transformation(extent={{100,-10},{120,10}})));
  equation
    y = u > uHigh or pre(y) and u >= uLow;
    annotation (Icon(graphics={Line(points={{-80,-50},{30,-50},{30,50},{80,50}}, color={255,0,255}),
      Line(points={{-30,50},{30,50}}, color={255,0,255}), Line(points={{-30,50},{-30,-50}},
      color={255,0,255})}));
  end Hysteresis;

  block Quantizer "The nearest multiple of q"
    extends SISO;
    parameter Real q(min=0) = 0.1 "Width of a step";
  equation
    y = q*floor(u/q + 0.5);
    annotation (Icon(graphics={Line(points={{-80,-60},{-40,-60},{-40,-20},{0,-20},{0,20},{40,20},
      {40,60},{80,60}}, color={0,0,127})}));
  end Quantizer;

  block PWM "A pulse in each period; the signal gives its length"
    extends Icons.Block;
    parameter Units.Time period = 1e-3;
    RealInput u "Share of the period, between 0 and 1"
      annotation (Placement(transformation(extent={{-140,-20},{-100,20}})));
    BooleanOutput y annotation (Placement(transformation(extent={{100,-10},{120,10}})));
  protected
    discrete Units.Time off(start=0, fixed=true) "End of the present pulse";
  equation
    when sample(0, period) then
      off = time + period*min(1, max(0, u));
    end when;
    y = time < off;
    annotation (Icon(graphics={Line(points={{-80,-40},{-80,40},{-50,40},{-50,-40},{-10,-40},
      {-10,40},{40,40},{40,-40},{80,-40}}, color={255,0,255})}));
  end PWM;

  // ---- sampled ----

  block ZeroOrderHold "Samples and holds"
    extends SISO;
    parameter Units.Time period = 0.1;
  equation
    when sample(0, period) then
      y = u;
    end when;
    annotation (Icon(graphics={Line(points={{-80,-80},{-80,70}}, color={192,192,192},
      arrow={Arrow.None,Arrow.Filled}),
      Line(points={{-80,-70},{80,-70}}, color={192,192,192}, arrow={Arrow.None,Arrow.Filled}),
      Line(points={{-80,-60},{-40,-60},{-40,-10},{0,-10},{0,40},{40,40},{40,20},{80,20}})}));
  end ZeroOrderHold;

  block SampledPI "PI controller, sampled, with limits and antiwindup"
    extends SISO;
    parameter Real k = 1 "Gain";
    parameter Units.Time Ti = 1 "Integral time";
    parameter Real kw = 1 "Gain of the antiwindup";
    parameter Real yMax = 1;
    parameter Real yMin = -yMax;
    parameter Units.Time period = 0.1;
    discrete Real x(start=0, fixed=true) "Integral part";
  protected
    discrete Real raw "Before the limits";
  equation
    when sample(0, period) then
      raw = pre(x) + k*u;
      y = if raw > yMax then yMax elseif raw < yMin then yMin else raw;
      x = pre(x) + period*(k*u/Ti + kw*(y - raw));
    end when;
    annotation (Icon(graphics={Text(extent={{-70,70},{70,0}}, textString="PI"),
      Line(points={{-70,-60},{-30,-60},{-30,-40},{10,-40},{10,-20},{50,-20},{50,-10},{70,-10}},
        color={0,0,127})}));
  end SampledPI;

  block SampledStateSpace "x = A*pre(x) + B*u, y = C*pre(x) + D*u at each instant"
    extends SISO;
    parameter Real A[:, size(A, 1)] = {{0}};
    parameter Real B[size(A, 1)] = ones(size(A, 1));
    parameter Real C[size(A, 1)] = ones(size(A, 1));
    parameter Real D = 0;
    parameter Units.Time period = 0.1;
    discrete Real x[size(A, 1)](each start=0, each fixed=true);
  equation
    when sample(0, period) then
      x = A*pre(x) + B*u;
      y = C*pre(x) + D*u;
    end when;
    annotation (Icon(graphics={Text(extent={{-90,50},{90,10}}, textString="A  B"),
      Text(extent={{-90,-10},{90,-50}}, textString="C  D")}));
  end SampledStateSpace;

  // ---- logic ----

  partial block Logic2 "Two logical inputs"
    extends Icons.Block;
    BooleanInput u1 annotation (Placement(transformation(extent={{-140,30},{-100,70}})));
    BooleanInput u2 annotation (Placement(transformation(extent={{-140,-70},{-100,-30}})));
    BooleanOutput y annotation (Placement(transformation(extent={{100,-10},{120,10}})));
  end Logic2;

  block And "y = u1 and u2"
    extends Logic2;
  equation
    y = u1 and u2;
    annotation (Icon(graphics={Text(extent={{-80,40},{80,-40}}, textString="and")}));
  end And;

  block Or "y = u1 or u2"
    extends Logic2;
  equation
    y = u1 or u2;
    annotation (Icon(graphics={Text(extent={{-80,40},{80,-40}}, textString="or")}));
  end Or;

  block Not "y = not u"
    extends Icons.Block;
    BooleanInput u annotation (Placement(transformation(extent={{-140,-20},{-100,20}})));
    BooleanOutput y annotation (Placement(transformation(extent={{100,-10},{120,10}})));
  equation
    y = not u;
    annotation (Icon(graphics={Text(extent={{-80,40},{80,-40}}, textString="not")}));
  end Not;

  block Latch "Set by u1, reset by u2; reset has priority"
    extends Logic2(y(start=false, fixed=true));
  equation
    y = not u2 and (u1 or pre(y));
    annotation (Icon(graphics={Text(extent={{-90,70},{-40,30}}, textString="S"),
      Text(extent={{-90,-30},{-40,-70}}, textString="R"), Text(extent={{40,20},{90,-20}},
      textString="Q")}));
  end Latch;

  block Automaton "A finite automaton; the first possible transition in the list is taken"
    extends Icons.Block;
    parameter Integer n(min=1) = 2 "Number of states";
    parameter Integer from[:] = {1, 2} "States that transitions leave";
    parameter Integer to[size(from, 1)] = {2, 1} "States that transitions lead to";
    parameter Integer initialState = 1;
    BooleanInput fire[size(from, 1)] "Conditions of the transitions"
      annotation (Placement(transformation(extent={{-140,-20},{-100,20}})));
    output Integer state(start=initialState, fixed=true) "Present state";
    BooleanOutput active[n] "One for each state"
      annotation (Placement(transformation(extent={{100,-10},{120,10}})));
  protected
    Boolean enabled[size(from, 1)];
    Boolean taken[size(from, 1)];
  equation
    for t in 1:size(from, 1) loop
      enabled[t] = pre(state) == from[t] and fire[t];
      taken[t] = enabled[t] and not Functions.any(enabled[1:t - 1]);
    end for;
    state = Functions.target(pre(state), taken, to);
    for k in 1:n loop
      active[k] = state == k;
    end for;
    annotation (Icon(graphics={Ellipse(extent={{-75,30},{-25,-20}}),
      Ellipse(extent={{25,30},{75,-20}}),
      Line(points={{-35,26},{0,50},{35,26}}, smooth=Smooth.Bezier, arrow={Arrow.None,Arrow.Filled}),
      Line(points={{35,-16},{0,-40},{-35,-16}}, smooth=Smooth.Bezier,
        arrow={Arrow.None,Arrow.Filled})}),
      Documentation(info="<html><p>The rule of the 1993 paper, from automaton to Boolean equations:
      a state becomes active if a transition into it is taken. It stays
    active if no transition out of it is taken. Transitions are tried in the order of the list, so
    their order is their priority.</p></html>"));
  end Automaton;

  block PetriNet "A net of places and transitions; if several compete for tokens, the first "
    + "in the list wins"
    extends Icons.Block;
    parameter Integer Pre[:, :] = {{1, 0}, {0, 1}}
      "Tokens taken from each place (row) by each transition (column)";
    parameter Integer Post[size(Pre, 1), size(Pre, 2)] = {{0, 1}, {1, 0}} "Tokens put";
    parameter Integer m0[size(Pre, 1)] = {1, 0} "Tokens at the start";
    BooleanInput fire[size(Pre, 2)] "Conditions of the transitions"
      annotation (Placement(transformation(extent={{-140,-20},{-100,20}})));
    output Integer m[size(Pre, 1)](start=m0, each fixed=true) "Tokens in each place";
    Boolean taken[size(Pre, 2)] "Transitions that fire now";
    output Integer fired[size(Pre, 2)](each start=0, each fixed=true)
      "How often each transition has fired";
  equation
    taken = Functions.firing(pre(m), fire, Pre);
    m = Functions.marking(pre(m), taken, Pre, Post);
    for t in 1:size(Pre, 2) loop
      fired[t] = pre(fired[t]) + (if taken[t] then 1 else 0);
    end for;
    annotation (Icon(graphics={Ellipse(extent={{-80,25},{-30,-25}}),
      Ellipse(extent={{-60,5},{-50,-5}}, fillPattern=FillPattern.Solid),
      Ellipse(extent={{30,25},{80,-25}}),
      Rectangle(extent={{-4,40},{4,-40}}, fillPattern=FillPattern.Solid),
        Line(points={{-30,0},{-4,0}}, arrow={Arrow.None,Arrow.Filled}),
      Line(points={{4,0},{30,0}}, arrow={Arrow.None,Arrow.Filled})}),
      Documentation(info="<html><p>Transitions fire as long as they are enabled and their conditions
      hold, one set after the other, at one instant. The order of the
    columns is the priority: a transition sees the tokens that those before it have
    left.</p></html>"));
  end PetriNet;

  package Functions "Functions of automata and nets"
    function any "True if one of the elements is true"
      input Boolean u[:];
      output Boolean y = false;
    algorithm
      for i in 1:size(u, 1) loop
        y := y or u[i];
      end for;
    end any;

    function target "State after the transition that is taken"
      input Integer state;
      input Boolean taken[:];
      input Integer to[size(taken, 1)];
      output Integer next = state;
    algorithm
      for t in 1:size(taken, 1) loop
        if taken[t] then
          next := to[t];
        end if;
      end for;
    end target;

    function firing "Transitions that fire; each sees the tokens that those before it left"
      input Integer m[:];
      input Boolean fire[:];
      input Integer Pre[size(m, 1), size(fire, 1)];
      output Boolean taken[size(fire, 1)];
    protected
      Integer left[size(m, 1)] = m;
      Boolean enabled;
    algorithm
      for t in 1:size(fire, 1) loop
        enabled := fire[t];
        for p in 1:size(m, 1) loop
          enabled := enabled and left[p] >= Pre[p, t];
        end for;
        taken[t] := enabled;
        if enabled then
          for p in 1:size(m, 1) loop
            left[p] := left[p] - Pre[p, t];
          end for;
        end if;
      end for;
    end firing;

    function marking "Tokens after the transitions that fire"
      input Integer m[:];
      input Boolean taken[:];
      input Integer Pre[size(m, 1), size(taken, 1)];
      input Integer Post[size(m, 1), size(taken, 1)];
      output Integer next[size(m, 1)] = m;
    algorithm
      for t in 1:size(taken, 1) loop
        if taken[t] then
          for p in 1:size(m, 1) loop
            next[p] := next[p] - Pre[p, t] + Post[p, t];
          end for;
        end if;
      end for;
    end marking;
  end Functions;
end Blocks;
