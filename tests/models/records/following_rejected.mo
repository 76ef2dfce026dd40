model FollowingRejected "Only fields of records follow: this variable would change between events"
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
end FollowingRejected;
// expect error D011 line 13
