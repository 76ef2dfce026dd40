// Clocks as components and connectors; the clock of a block is inferred from its connections.
// model ClockVariable.Top
// expect y(0.25) = 3 ± 1e-9
// expect flat Clock 'source.y';
// options --stop-time 1
package ClockVariable
  connector ClockInput = input Clock;
  connector ClockOutput = output Clock;
  block Source
    parameter Real period = 0.1;
    ClockOutput y = Clock(period);
  end Source;
  block Count
    ClockInput clock;
    output Integer n(start = 0);
  equation
    when clock then
      n = previous(n) + 1;
    end when;
  end Count;
  model Top
    Source source;
    Count count;
    Integer y = hold(count.n);
  equation
    connect(source.y, count.clock);
  end Top;
end ClockVariable;
