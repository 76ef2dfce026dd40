// expect error I119 line 6 with iterator i has 3 values by its first use, but 4 here
model UnevenUses
  Real x[3], y[4];
algorithm
  for i loop
    x[i] := y[i];
  end for;
end UnevenUses;
