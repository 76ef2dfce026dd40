// expect error F013 line 3
expandable connector Bus
  flow Real f;
end Bus;
model DirectFlow
  Bus bus;
end DirectFlow;
