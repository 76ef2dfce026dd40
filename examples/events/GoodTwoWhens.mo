model GoodTwoWhens "The same with one equation"
  Boolean close1 = time > 1, close2 = time > 2, closed(start = false, fixed = true);
equation
  when {close1, close2} then
    closed = edge(close1);
  end when;
  annotation(experiment(StopTime = 3));
end GoodTwoWhens;
// expect closed(0.5) = 0
// expect closed(1.5) = 1
// expect closed(2.5) = 0
// expect events = 2
