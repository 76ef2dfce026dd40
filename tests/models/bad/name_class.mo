model A
  Reall x = 1;
end A;
// expect error I001 line 2 with did you mean 'Real'
