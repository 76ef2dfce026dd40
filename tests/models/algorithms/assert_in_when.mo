// expect error R007 with boom 0.5
model AssertInWhen
  Real x(start=0,fixed=true);
equation
  der(x)=1;
algorithm
  when x>0.5 then
    assert(x<0.2,"boom " + String(x));
  end when;
end AssertInWhen;
