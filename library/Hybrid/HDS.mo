within Hybrid;
package HDS "Hybrid dynamical systems for any number of modes and states"
  connector EventInput = input Integer "Counts events; one happens when it changes"
    annotation (Icon(graphics={Polygon(points={{-100,100},{100,0},{-100,-100},{-100,100}},
      lineColor={255,127,0}, fillColor={255,127,0}, fillPattern=FillPattern.Solid)}));
  connector EventOutput = output Integer "Counts events; one happens when it changes"
    annotation (Icon(graphics={Polygon(points={{-100,100},{100,0},{-100,-100},{-100,100}},
      lineColor={255,127,0}, fillColor={255,255,255}, fillPattern=FillPattern.Solid)}));

  partial model DS "Dynamical system der(x) = fx"
    parameter Integer d = 1 "Order";
    parameter Real x0[d] = zeros(d) "State at the start";
    Real x[d](start=x0, each fixed=true) "State";
    Real fx[d] "Vector field";
  equation
    der(x) = fx;
  end DS;

  partial model CDS "Controlled dynamical system"
    extends Icons.Block;
    parameter Integer d = 1 "Order";
    parameter Integer m = 1 "Number of inputs";
    parameter Integer p = 1 "Number of outputs";
    parameter Real x0[d] = zeros(d) "State at the start";
    Real x[d](start=x0, each fixed=true) "State";
    Blocks.RealInput u[m] annotation (Placement(transformation(extent={{-140,-20},{-100,20}})));
    Blocks.RealOutput y[p] annotation (Placement(transformation(extent={{100,-10},{120,10}})));
    Real f[d] "Vector field";
  equation
    der(x) = f;
    annotation (Icon(graphics={Text(extent={{-90,20},{90,-20}}, textString="der(x) = f")}));
  end CDS;

  partial model SwitchedDS "A system that is active or at rest"
    extends DS;
    extends Icons.Block;
    parameter Boolean startActive = true "Active at the start";
    EventInput restart "Makes it active"
      annotation (Placement(transformation(extent={{-120,-10},{-100,10}})));
    EventOutput autoJump(start=0, fixed=true) "Happens when it leaves its domain"
      annotation (Placement(transformation(extent={{100,-10},{120,10}})));
    Boolean active(start=startActive, fixed=true);
    Real f[d] "Vector field while active";
    Real A "Jumps when this becomes positive";
  protected
    Boolean leaves;
  equation
    fx = if active then f else zeros(d);
    leaves = pre(active) and A >= 0;
    active = change(restart) or pre(active) and not leaves;
    autoJump = pre(autoJump) + (if leaves and not pre(leaves) then 1 else 0);
    annotation (Icon(graphics={Text(extent={{-90,20},{90,-20}}, textString="der(x) = f")}));
  end SwitchedDS;

  partial model Core "Global state, with autonomous jumps (A, G) and commanded jumps (C, F)"
    parameter Integer d = 1 "Largest order";
    parameter Integer N = 2 "Number of modes";
    parameter Integer order[N] = fill(d, N) "Order in each mode; further states rest";
    parameter Real x0[d] = zeros(d) "State at the start";
    parameter Integer q0 = 1 "Mode at the start";
    Real x[d](start=x0, each fixed=true) "Continuous state";
    Integer q(start=q0, fixed=true) "Mode";
    Real f[d, N] "Vector fields, one column for each mode";
    Real Ajump[N] "The system jumps when the element of the present mode becomes positive";
    Integer Gq[N] "Mode after such a jump";
    Real Gx[d, N] "State after such a jump";
    Real Cjump[N] "A command: it jumps when the element of the present mode becomes positive";
    Integer Fq[N] "Mode after such a jump";
    Real Fx[d, N] "State after such a jump";
    Integer jumps(start=0, fixed=true) "How often it has jumped";
  protected
    Boolean auto(start=false, fixed=true), commanded(start=false, fixed=true);
  equation
    for i in 1:d loop
      der(x[i]) = if i <= order[q] then f[i, q] else 0;
    end for;
    auto = Ajump[pre(q)] >= 0 and not pre(auto);
    commanded = Cjump[pre(q)] >= 0 and not pre(commanded);
    when {auto, commanded} then
      q = if auto then Gq[pre(q)] else Fq[pre(q)];
      jumps = pre(jumps) + 1;
      for i in 1:d loop
        reinit(x[i], if auto then Gx[i, pre(q)] else Fx[i, pre(q)]);
      end for;
    end when;
    annotation (Diagram(graphics={
        Ellipse(extent={{-80,40},{-20,-20}}, lineColor={0,114,178}, fillColor={235,244,250},
          fillPattern=FillPattern.Solid), Ellipse(extent={{20,40},{80,-20}}, lineColor={0,114,178},
          fillColor={235,244,250}, fillPattern=FillPattern.Solid),
        Text(extent={{-78,34},{-22,18}}, textString="mode 1", textColor={0,114,178}),
          Text(extent={{22,34},{78,18}}, textString="mode 2 … N", textColor={0,114,178}),
        Text(extent={{-74,12},{-26,-2}}, textString="der(x) = f[:, 1]"),
          Text(extent={{26,12},{74,-2}}, textString="der(x) = f[:, q]"),
        Line(points={{-30,32},{0,58},{30,32}}, color={213,94,0}, smooth=Smooth.Bezier,
          arrow={Arrow.None,Arrow.Filled}), Line(points={{30,-12},{0,-38},{-30,-12}},
          color={213,94,0}, smooth=Smooth.Bezier, arrow={Arrow.None,Arrow.Filled}),
        Text(extent={{-50,66},{50,54}}, textString="Ajump[q] >= 0: q = Gq[q], x = Gx[:, q]",
          textColor={213,94,0}), Text(extent={{-50,-34},{50,-46}},
          textString="Cjump[q] >= 0: q = Fq[q], x = Fx[:, q]", textColor={213,94,0})}),
      Documentation(info="<html><p>If a jump leads into the set of the next jump, both happen "
        + "at one instant.</p></html>"));
  end Core;

  partial model HDS "Hybrid dynamical system with autonomous jumps only"
    extends Core;
  equation
    Cjump = fill(-1, N);
    Fq = fill(1, N);
    Fx = zeros(d, N);
  end HDS;

  partial model AutoSwitch "Jumps change the mode and keep the state"
    extends HDS;
  equation
    for k in 1:N loop
      Gx[:, k] = x;
    end for;
  end AutoSwitch;

  partial model Artstein "After a time T[q] in mode q, a test chooses the next mode"
    extends HDS(final d=dim + 1);
    parameter Integer dim = 1 "Order without the timer";
    parameter Real T[N] = fill(1, N) "Time in each mode";
    Real fields[dim, N] "Vector fields";
  equation
    f[1:dim, :] = fields;
    f[d, :] = ones(N);
    for k in 1:N loop
      Ajump[k] = x[d] - T[k];
      Gx[1:dim, k] = x[1:dim];
      Gx[d, k] = 0;
    end for;
  end Artstein;

  partial model Brockett "A counter p that grows at the rate r; z changes when p passes an integer"
    extends HDS(final d=dim + 2);
    parameter Integer dim = 1 "Order without the counter";
    Real fields[dim, N] "Vector fields";
    Real r[N](each min=0) "Rate of the counter in each mode";
    Real p "Counter";
    Integer z "Symbol";
  equation
    f[1:dim, :] = fields;
    f[d - 1, :] = zeros(N);
    f[d, :] = r;
    for k in 1:N loop
      Ajump[k] = x[d] - 1;
      Gx[1:dim, k] = x[1:dim];
      Gx[d - 1, k] = x[d - 1] + 1;
      Gx[d, k] = 0;
    end for;
    p = x[d - 1] + x[d];
    z = q;
  end Brockett;

  partial model CHDS "Controlled hybrid dynamical system"
    extends Icons.Block;
    extends Core;
    parameter Integer m = 1 "Number of inputs";
    parameter Integer p = 1 "Number of outputs";
    Blocks.RealInput u[m] annotation (Placement(transformation(extent={{-140,-20},{-100,20}})));
    Blocks.RealOutput y[p] annotation (Placement(transformation(extent={{100,-10},{120,10}})));
    annotation (Icon(graphics={Ellipse(extent={{-80,35},{-20,-25}}),
      Ellipse(extent={{20,35},{80,-25}}),
      Line(points={{-35,32},{0,60},{35,32}}, smooth=Smooth.Bezier, arrow={Arrow.None,Arrow.Filled}),
      Line(points={{35,-22},{0,-50},{-35,-22}}, smooth=Smooth.Bezier,
        arrow={Arrow.None,Arrow.Filled})}));
  end CHDS;

  partial model CArtstein "Artstein's model with inputs and outputs"
    extends CHDS(final d=dim + 1);
    parameter Integer dim = 0 "Order without the timer";
    parameter Real T[N] = fill(1, N) "Time in each mode";
    Real fields[dim, N] "Vector fields";
  equation
    f[1:dim, :] = fields;
    f[d, :] = ones(N);
    for k in 1:N loop
      Ajump[k] = x[d] - T[k];
      Gx[1:dim, k] = x[1:dim];
      Gx[d, k] = 0;
    end for;
  end CArtstein;

  partial model Switcher "Two linear systems in the plane, one after the other"
    extends AutoSwitch(final N=2, final d=2);
    parameter Real A[2, 2] = {{1, -100}, {10, 1}};
    parameter Real B[2, 2] = {{1, 10}, {-100, 1}};
  equation
    f[:, 1] = A*x;
    f[:, 2] = B*x;
    Gq = {2, 1};
  end Switcher;

  block Timer "Schedules an event: it happens a delay after the input, unless it is cancelled"
    extends Icons.Block;
    parameter Units.Time delay = 1;
    EventInput schedule "Starts the delay anew"
      annotation (Placement(transformation(extent={{-120,30},{-100,50}})));
    EventInput deschedule "Forgets it"
      annotation (Placement(transformation(extent={{-120,-50},{-100,-30}})));
    EventOutput event(start=0, fixed=true)
      annotation (Placement(transformation(extent={{100,-10},{120,10}})));
  protected
    constant Units.Time never = 1e60;
    discrete Units.Time due(start=never, fixed=true);
    Boolean now;
  equation
    now = time >= pre(due);
    when {change(schedule), change(deschedule), now} then
      due = if change(schedule) then time + delay else never;
    end when;
    when now then
      event = pre(event) + 1;
    end when;
    annotation (Icon(graphics={Ellipse(extent={{-50,50},{50,-50}}), Line(points={{0,0},{0,38}}),
      Line(points={{0,0},{24,-14}}), Text(extent={{-90,-60},{90,-90}}, textString="%delay")}));
  end Timer;

  block Cause "An event when a condition becomes true"
    extends Icons.Block;
    input Boolean condition;
    EventOutput event(start=0, fixed=true)
      annotation (Placement(transformation(extent={{100,-10},{120,10}})));
  equation
    when condition then
      event = pre(event) + 1;
    end when;
    annotation (Icon(graphics={Line(points={{-70,-40},{0,-40},{0,40},{70,40}}, color={255,0,255},
      thickness=0.5), Line(points={{0,-70},{0,70}}, color={255,127,0}, pattern=LinePattern.Dash)}));
  end Cause;

  model Server "An automaton of two states: started by one event, ready by another"
    extends Icons.Block;
    EventInput start "Starts service"
      annotation (Placement(transformation(extent={{-120,30},{-100,50}})));
    EventInput ready "Ends service"
      annotation (Placement(transformation(extent={{-120,-50},{-100,-30}})));
    Boolean active(start=false, fixed=true);
    Integer served(start=0, fixed=true) "How often it has become ready";
  equation
    active = if pre(active) then not change(ready) else change(start);
    served = pre(served) + (if pre(active) and change(ready) then 1 else 0);
    annotation (Icon(graphics={Ellipse(extent={{-70,30},{-20,-20}}),
      Ellipse(extent={{20,30},{70,-20}}), Text(extent={{-70,20},{-20,-10}}, textString="idle"),
      Text(extent={{20,20},{70,-10}}, textString="busy"), Line(points={{-30,28},{0,50},{30,28}},
        smooth=Smooth.Bezier, arrow={Arrow.None,Arrow.Filled}),
      Line(points={{30,-18},{0,-40},{-30,-18}}, smooth=Smooth.Bezier,
        arrow={Arrow.None,Arrow.Filled})}));
  end Server;
end HDS;
