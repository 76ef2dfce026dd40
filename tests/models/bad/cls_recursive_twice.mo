// expect error I004 line 3 with contains itself
model Tree "Twice as many with every level: told at once, not after all of them are made"
  Tree left, right;
end Tree;
