// expect error F004 line 6
model Nested
  Integer n;
equation
  when time > 1 then
    when time > 2 then n = 1; end when;
  end when;
end Nested;
