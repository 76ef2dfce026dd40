// Hybrid.Examples.Hybrids.Service
model Service
  extends Hybrid.Examples.Hybrids.Service;
end Service;
// options --stop-time 8
// expect server.served(8) = 3
// expect server.active(1.5) = 1
// expect server.active(2) = 0
// expect server.active(6) = 1
