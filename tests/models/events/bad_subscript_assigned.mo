// expect error R007 line 5 with out of range 1:2 of t
model BadSubscriptAssigned
  Integer k(start = 1, fixed = true);
  Boolean t[2](each start = false, each fixed = true);
algorithm
  when sample(0.1, 0.1) then
    k := pre(k) + 1;
    t[k] := true;
  end when;
end BadSubscriptAssigned;
