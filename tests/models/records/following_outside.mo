model FollowingOutside "A variable outside of records follows a field that changes between events"
  record State
    Integer region;
    Real p;
  end State;
  function state
    input Real p;
    output State s;
  algorithm
    s := State(integer(p), 2*p);
  end state;
  State s = state(3*time);
  Integer k = s.region;
end FollowingOutside;
// expect k(0.5) = 1
// expect k(0.9) = 2
