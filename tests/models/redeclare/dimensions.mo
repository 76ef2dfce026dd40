// expect error I033 line 4 with dimensions
type R3 = Real[3];
type R23 = Real[2, 3];
model M replaceable R3 x[2] = {{1, 2, 3}, {4, 5, 6}} constrainedby R23; end M;
