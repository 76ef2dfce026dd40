// expect flat 'p.x' = 2.0*time
// expect flat 'q.x' = 3.0*time
package PartialMedium constant Real d = 1; end PartialMedium;
package Water extends PartialMedium(d = 2); end Water;
package Oil extends PartialMedium; end Oil;
model Pipe
  replaceable package Medium = Water constrainedby PartialMedium;
  Real x = Medium.d*time;
end Pipe;
model Redeclare
  package Heavy = Oil(d = 3);
  Pipe p;
  Pipe q(redeclare package Medium = Heavy);
end Redeclare;
