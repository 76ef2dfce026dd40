// expect error I090 with none of its libraries has 'no_such_function_anywhere'
model ExternalMissing
  function missing
    input Real x;
    output Real y;
    external "C" y = no_such_function_anywhere(x);
  end missing;
  constant Real c = missing(3);
  Real x = c;
end ExternalMissing;
