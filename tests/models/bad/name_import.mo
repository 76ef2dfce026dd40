model A
  import Foo.Bar;
  Real x = Bar.c;
end A;
// expect error I001 line 2
