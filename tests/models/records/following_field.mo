package FollowingField "Fields that are not Reals change with the continuous arguments of the "
  + "function that gives the record"
  record State
    Integer region;
    Boolean above;
    Real p;
  end State;
  function state
    input Real p;
    output State s;
  protected
    Integer k = 0;
  algorithm
    while k + 1 <= p loop
      k := k + 1;
    end while;
    s := State(k, p > 1.5, 2*p);
  end state;
  model Test
    State s = state(3*time);
    State copy;
    State ring;
    Real y = s.region + (if s.above then 0.5 else 0);
    Real z(start = 1) "in a loop with the fields of its own state";
    Real integral(start = 0, fixed = true);
  equation
    copy = s;
    ring = state(z);
    z = 0.1*ring.p + 1.6 + 0.05*ring.region + time;
    der(integral) = if noEvent(s.region >= 1) then 1 else 0;
  end Test;
end FollowingField;
// model FollowingField.Test
// solvers dopri5 cvode
// expect s.region(0.4) = 1
// expect s.region(0.7) = 2
// expect copy.region(1) = 3
// expect copy.above(0.3) = 0
// expect copy.above(0.6) = 1
// expect y(0.7) = 2.5 ± 1e-9
// expect ring.region(0) = 2
// expect z(0) = 1.7/0.8 ± 1e-9
// expect z(1) = 2.75/0.8 ± 1e-9
// expect ring.region(1) = 3
// expect integral(1) = 2/3 ± 1e-3
