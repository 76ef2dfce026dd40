// Algorithms, if-equations, local equations and inputs in states; states that are not active keep
// their values.
// expect a.s(2.5) = 6
// expect a.w(2.5) = 60
// expect b.m(2.5) = 0
// expect a.s(4.5) = 6
// expect a.w(4.5) = 60
// expect b.m(3.5) = 100
// expect b.m(4.5) = 200
// expect b.k(4.5) = 205
// options --stop-time 5
model AlgorithmState
  block A
    input Integer u;
    Integer s(start = 0), w;
  algorithm
    s := previous(s) + u;
  equation
    w = 10*s;
  end A;
  block B
    input Integer u;
    Integer m(start = 0), k;
  equation
    if u > 4 then
      m = 200;
    else
      m = 100;
    end if;
    k = m + u;
  end B;
  Integer n(start = 0) = previous(n) + 1;
  A a(u = n);
  B b(u = n);
equation
  initialState(a);
  transition(a, b, n >= 3, immediate = false);
end AlgorithmState;
