// expect error I117 with inside another statement
model WhenInIf
  Integer n(start = 0);
algorithm
  if time > 1 then
    when time > 2 then
      n := 2;
    end when;
  end if;
end WhenInIf;
