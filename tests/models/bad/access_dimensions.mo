// expect error I108 line 3
model AccessDimensions
  Real x = ({1, 2})[1, 2];
end AccessDimensions;
