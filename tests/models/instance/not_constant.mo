// expect error I014 line 5
model Around
  Real q = time;
  model Inside
    Real x = q;
  end Inside;
  Inside i;
end Around;
