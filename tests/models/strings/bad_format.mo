model BadFormat "An invalid format is reported when it is used"
  function show
    input Real x;
    input String f;
    output Real y;
  protected
    String s = String(x, format = f);
  algorithm
    y := if s == "" then 0 else x;
  end show;
  Real y = show(time, if time > 0.5 then "no format" else "g");
end BadFormat;
// expect error R007 with format
