// expect error I015 line 4 with expandable
expandable connector Bus end Bus;
model Expand
  Bus b;
end Expand;
