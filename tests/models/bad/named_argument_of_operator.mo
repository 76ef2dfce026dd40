// expect error I105 line 5 with function delay has no argument 'by'; its arguments are: expr delayTime
model named_argument_of_operator
  Real y;
equation
  y = delay(time, by = 0.1);
end named_argument_of_operator;
