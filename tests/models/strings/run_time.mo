package RunTime "Strings that change at run time: variables, functions, records, arrays, external "
  + "code, comparisons"
  type Colour = enumeration(red, green);
  record Named
    String name;
    Real x;
  end Named;
  function describe
    input Real x;
    input Integer n;
    input Boolean b;
    input Colour c;
    output String s;
  protected
    String parts[3] = {String(x, significantDigits = 3), String(n, minimumLength = 5,
      leftJustified = false), String(b)};
  algorithm
    s := "";
    for i in 1:3 loop
      s := s + parts[i] + ";";
    end for;
    s := s + String(c) + "|" + String(x, format = "8.3f") + "|" + String(c,
      minimumLength = 7) + "|";
  end describe;
  function named
    input Real x;
    output Named r;
  algorithm
    r := Named("x" + String(x), x);
  end named;
  function longest
    input String s[:];
    output String t = "";
  algorithm
    for i in 1:size(s, 1) loop
      if length(s[i]) > length(t) then
        t := s[i];
      end if;
    end for;
  end longest;
  function length
    input String s;
    output Integer n;
    external "C" n = run_time_length(s) annotation(Include = "
      #include <string.h>
      static int run_time_length(const char *s) { return (int)strlen(s); }");
  end length;
  function twice
    input String s;
    output String t;
    external "C" t = run_time_twice(s) annotation(Include = "
      #include <string.h>
      #include \"ModelicaUtilities.h\"
      static const char *run_time_twice(const char *s)
      {
        char *t = ModelicaAllocateString(2*strlen(s));
        strcpy(t, s);
        strcat(t, s);
        return t;
      }");
  end twice;
  model Test
    discrete String s(start = "none", fixed = true);
    String u;
    Integer n(start = 0, fixed = true);
    Integer l = length(u), l2 = length(twice(u));
    Boolean same = u == "big", before = u < "none2", changed(start = false, fixed = true);
    Named r = named(time);
    Real lr = length(r.name) + 0*time;
    Boolean right;
    Integer lw = length(longest({"a", u, "bb"}));
    parameter String late(fixed = false);
    Integer ll = length(late) + n;
  initial equation
    late = "from " + s;
  equation
    when sample(0.1, 0.1) then
      n = pre(n) + 1;
      s = pre(s) + String(n);
    end when;
    u = if n > 5 then "big" else s;
    when change(u) then
      changed = not pre(changed);
    end when;
    right = describe(0.125, n, n > 2, Colour.green) ==
      "0.125;" + String(n, minimumLength = 5, leftJustified = false) + ";" + (if n > 2 then
        "true" else "false") +
      ";green|   0.125|green  |";
  end Test;
end RunTime;
// model RunTime.Test
// expect l(0) = 4
// expect l(0.35) = 7
// expect l2(0.35) = 14
// expect l(0.75) = 3
// expect lw(0.75) = 3
// expect same(0.55) = 0
// expect same(0.65) = 1
// expect before(0.05) = 1
// expect before(0.15) = 1
// expect changed(0.15) = 1
// expect changed(0.25) = 0
// expect changed(0.95) = 0
// expect lr(0.5) = 4
// expect min right >= 1
// expect ll(0.25) = 11
