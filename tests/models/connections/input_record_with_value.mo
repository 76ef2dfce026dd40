// A value in the class for an input that is a record: the connection from outside determines it,
// and the equation of the value determines the variable of the class.
// expect v.level(1) = 1 + 2*(1 - exp(-1)) ± 1e-5
package InputRecordWithValue
  record State
    Real p, h;
  end State;
  connector Inlet
    Real r;
    flow Real m;
    input State state;
  end Inlet;
  connector Outlet
    Real r;
    flow Real m;
    output State state;
  end Outlet;
  model Source
    Outlet o;
  equation
    o.r = 0;
    o.state = State(3, 2);
  end Source;
  model Volume
    Inlet inlet(m = flow_in, r = r, state = arriving);
    Real level(start = 1, fixed = true);
  protected
    State arriving;
    Real flow_in, r;
  equation
    der(level) = flow_in;
    flow_in = arriving.p - level;
  end Volume;
  model M
    Source s;
    Volume v;
  equation
    connect(s.o, v.inlet);
  end M;
end InputRecordWithValue;
