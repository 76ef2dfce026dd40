// expect error F011 line 3
model StreamOutside
  stream Real h = 1;
end StreamOutside;
