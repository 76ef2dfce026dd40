// Hybrid.Examples.Control.TrafficLight
model TrafficLight
  extends Hybrid.Examples.Control.TrafficLight;
end TrafficLight;
// options --stop-time 12
// expect light.state(1) = 1
// expect light.state(4) = 2
// expect light.state(5.5) = 3
// expect light.state(7) = 1
// expect event 3
// expect event 5
// expect event 6
