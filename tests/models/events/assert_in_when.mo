// expect error R007 with boom
model AssertInWhen
  Real x(start=0,fixed=true);
equation
  der(x)=1;
  when x>0.5 then
    assert(x<0.2,"boom");
  end when;
end AssertInWhen;
