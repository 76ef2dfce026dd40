model BadTwoWhens "1999's `close`: two clauses determine one variable"
  Boolean close1 = time > 1, close2 = time > 2, closed(start = false, fixed = true);
equation
  when close1 then
    closed = true;
  end when;
  when close2 then
    closed = false;
  end when;
end BadTwoWhens;
// expect error D009 line 8 with one defining equation
