// Both transitions could fire; priority 1 wins, though it is delayed. An immediate one acts at the
// tick of its condition.
// expect n(0.25) = 3
// expect n(0.35) = 13
// expect n(0.45) = 13
// expect fast(0.15) = 0
// expect fast(0.25) = 1
// options --stop-time 0.45
model Priorities
  block Count
    outer output Integer n;
  equation
    n = previous(n) + 1;
  end Count;
  block Jump
    outer output Integer n;
  equation
    n = previous(n) + 10;
  end Jump;
  block Wait
  end Wait;
  block Set
    outer output Integer fast;
  equation
    fast = 1;
  end Set;
  inner Integer n(start = 0), fast(start = 0);
  Integer k(start = 0);
  Count count;
  Jump jump;
  Wait wait, wait2, wrong;
  Set set;
equation
  when Clock(1, 10) then
    k = previous(k) + 1;
  end when;
  initialState(count);
  transition(count, jump, n >= 3, immediate = false, priority = 1);
  transition(count, wrong, k >= 4, priority = 2);
  transition(jump, wait, true, immediate = false);
  initialState(wait2);
  transition(wait2, set, k >= 3);
end Priorities;
