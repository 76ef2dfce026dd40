model PartsRejected
  Real x = ({1, 2, 3})[1, 2];
end PartsRejected;
// expect error I108 line 2
