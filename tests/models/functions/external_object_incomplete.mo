// expect error I020 line 13 with has no function 'destructor'
package P
  class Counter
    extends ExternalObject;
    function constructor
      input Integer first;
      output Counter c;
      external "C" c = counter_new(first);
    end constructor;
  end Counter;
  model M
    Real x = time;
    Counter counter = Counter(3);
  end M;
end P;
