// Blocks that read one Boolean have each an initial equation for its left limit. The connection
// makes
// the values equal, not the left limits at the start.
// expect first.count(0.2) = 0
// expect second.count(0.2) = 1
// expect third.count(0.2) = 1
// expect first.count(1) = 10
// expect second.count(1) = 11
// expect third.count(1) = 11
// expect event 0.5
model left_limits_of_equals
  connector Input = input Boolean;
  connector Output = output Boolean;
  block Source
    Output y = time > 0.5;
  end Source;
  block Reader
    Input u;
    parameter Boolean before = false;
    discrete Integer count;
  initial equation
    pre(u) = before;
    count = if pre(u) then 1 else 0;
  equation
    when edge(u) then
      count = pre(count) + 10;
    end when;
  end Reader;
  Source source;
  Reader first, second(before = true), third(before = true);
equation
  connect(source.y, first.u);
  connect(source.y, second.u);
  connect(second.u, third.u);
end left_limits_of_equals;
