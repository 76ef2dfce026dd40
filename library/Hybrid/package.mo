within;
package Hybrid "Ideal elements, hybrid blocks, and the model classes of the papers behind Kairos"
  annotation (
    version="1.0.0",
    Documentation(info="<html>
<p>Models in which continuous motion, sampled control, switching and impacts occur together.</p>
<ul>
<li><b>Electrical</b>: truly ideal switches, diodes, thyristors, op-amps among resistors,
capacitors, inductors.</li>
<li><b>Mechanics</b>: bodies, friction in declarative form, clutches, brakes, stops, backlash,
impacts.</li>
<li><b>Blocks</b>: limiters, relays, sampled controllers, logic, finite automata, Petri nets.</li>
<li><b>BondGraph</b>: bonds, junctions, storage, switches.</li>
<li><b>HDS</b>: hybrid dynamical systems for any number of modes and states.</li>
<li><b>Examples</b>: one runnable model for each idea.</li>
</ul>
<p>Nothing here needs another library. Connectors have the structure of those of the Modelica
Standard Library, so that components of both
can be connected.</p>
</html>"),
    Icon(coordinateSystem(extent={{-100,-100},{100,100}}), graphics={
      Rectangle(extent={{-100,100},{100,-100}}, lineColor={60,60,60}, fillColor={240,244,248},
        fillPattern=FillPattern.Solid, radius=20),
      Line(points={{-80,-40},{-40,-40},{-40,40},{10,40},{10,-40},{80,-40}}, color={0,114,178},
        thickness=2),
      Line(points={{-80,-60},{-40,60},{10,-20},{80,50}}, color={213,94,0}, thickness=2)}));
end Hybrid;
