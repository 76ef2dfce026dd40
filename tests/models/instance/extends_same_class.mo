// A short class declared with the same words in two base classes is one.
// expect flat 'm.x' = 1.0
// expect ok
model T Real x = 1; end T;
partial model Left replaceable model S = T; end Left;
partial model Right replaceable model S = T; S m; end Right;
model Both
  extends Left;
  extends Right;
end Both;
