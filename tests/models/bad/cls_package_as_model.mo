package A
  constant Real c = 1;
end A;
// expect error I017 line 1
