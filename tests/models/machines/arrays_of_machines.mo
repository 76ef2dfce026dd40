// Arrays of blocks with machines of their own; states that are elements of an array.
// expect m[1].n(3.5) = 2
// expect m[2].n(3.5) = 3
// expect q(2.5) = 2
// options --stop-time 4
model ArraysOfMachines
  block Wait
  end Wait;
  block Count
    outer output Integer n;
  equation
    n = previous(n) + 1;
  end Count;
  block Machine
    parameter Integer until = 2;
    inner Integer n(start = 0);
    Count count;
    Wait wait;
  equation
    initialState(count);
    transition(count, wait, n >= until, immediate = false);
  end Machine;
  Machine m[2](until = {2, 3});
  Wait s[3];
  Integer q = if activeState(s[3]) then 2 else 0;
equation
  initialState(s[1]);
  transition(s[1], s[2], true, immediate = false);
  transition(s[2], s[3], true, immediate = false);
end ArraysOfMachines;
