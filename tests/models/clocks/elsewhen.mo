// expect error F004 with cannot have an elsewhen
model ClockElsewhen
  Integer n(start = 0);
equation
  when Clock(0.1) then
    n = previous(n) + 1;
  elsewhen Clock(0.1) then
    n = 0;
  end when;
end ClockElsewhen;
