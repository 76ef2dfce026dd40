within Hybrid;
package Icons "Frames and symbols that components share"
  partial class Block "A block with inputs at the left and outputs at the right"
    annotation (Icon(graphics={
      Rectangle(extent={{-100,100},{100,-100}}, lineColor={0,0,127}, fillColor={255,255,255},
        fillPattern=FillPattern.Solid),
      Text(extent={{-150,150},{150,110}}, textString="%name", textColor={0,0,255})}));
  end Block;

  partial class Element "An element with a name above it"
    annotation (Icon(graphics={Text(extent={{-150,100},{150,60}}, textString="%name",
      textColor={0,0,255})}));
  end Element;

  partial class Example "A model that can be run as it is"
    annotation (Icon(graphics={
      Ellipse(extent={{-100,-100},{100,100}}, lineColor={75,138,73}, fillColor={255,255,255},
        fillPattern=FillPattern.Solid),
      Polygon(points={{-36,60},{64,0},{-36,-60},{-36,60}}, lineColor={75,138,73},
        fillColor={75,138,73}, fillPattern=FillPattern.Solid)}));
  end Example;
end Icons;
