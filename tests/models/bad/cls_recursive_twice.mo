// expect error I004 line 3 with contains itself
model Tree "Twice as many with every level: reported at once, not after all are made"
  Tree left, right;
end Tree;
