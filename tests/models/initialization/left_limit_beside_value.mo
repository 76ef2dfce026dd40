// The source has an initial value, set by an initial algorithm, and keeps it until an event. A
// reader of it has another left limit at the start.
// expect source.y(0.2) = 1
// expect reader.count(0.2) = 0
// expect source.y(0.7) = 0
// expect source.y(1.2) = 1
// expect reader.count(1.2) = 10
// options --stop-time 1.3
model left_limit_beside_value
  connector Input = input Boolean;
  connector Output = output Boolean;
  block Source
    Output y;
  initial algorithm
    y := true;
  equation
    when sample(0.5, 1) then
      y = false;
    elsewhen sample(1, 1) then
      y = true;
    end when;
  end Source;
  block Reader
    Input u;
    discrete Integer count;
  initial equation
    pre(u) = false;
    count = if pre(u) then 1 else 0;
  equation
    when edge(u) then
      count = pre(count) + 10;
    end when;
  end Reader;
  Source source;
  Reader reader;
equation
  connect(source.y, reader.u);
end left_limit_beside_value;
