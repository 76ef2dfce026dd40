// A constructor has exactly one output, a value of its record (section 14.3)
operator record V
  Real x;
  encapsulated operator 'constructor'
    function two
      import V;
      input Real x;
      output V v(x = x);
      output Real y = 1;
    algorithm
    end two;
  end 'constructor';
end V;
model ConstructorOutputs
  V v = V(1);
end ConstructorOutputs;
// expect error I020 line 5 with must have one
