model A
  type E = enumeration(a, b);
  E e = E.c;
end A;
// expect error I001 line 3
