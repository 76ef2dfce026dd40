// expect error I016 line 8 with more than
model ForEndless "More iterations than a model may have equations, with nothing in them: told, "
  + "not gone through"
  constant Integer n = 100000;
  Real x;
equation
  for i in 1:n loop
    for j in 1:n loop
    end for;
  end for;
  x = 1;
end ForEndless;
