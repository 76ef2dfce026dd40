// expect error I103 line 5 with argument of previous must be a variable
model PreviousExpression
  Integer n(start = 0);
equation
  n = previous(n + 1);
end PreviousExpression;
