model A
  Integer i = integer(time);
  Integer k = div(3, i);
end A;
// expect error R007 line 3
