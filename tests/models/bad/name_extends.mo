model A
  extends Foo;
  Real x = 1;
end A;
// expect error I001 line 2
