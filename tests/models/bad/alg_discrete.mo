model A
  Integer n;
algorithm
  n := 0;
  for i in 1:3 loop
    if time*i > 1 then
      n := n + 1;
    end if;
  end for;
end A;
// expect error D011 line 3
