// expect error I030 line 5 with cannot contain model 'N'
operator record R
  Real x;
  encapsulated operator 'constructor'
    model N
    end N;
    function f
      import R;
      input Real x;
      output R r;
    algorithm
      r.x := x;
    end f;
  end 'constructor';
end R;
model M
  R r = R(1.0);
end M;
