// expect flat parameter 'ExternalObject_.Counter' counter = 'ExternalObject_.Counter'(3)
package ExternalObject_
  class Counter
    extends ExternalObject;
    function constructor
      input Integer first;
      output Counter c;
      external "C" c = counter_new(first);
    end constructor;
    function destructor
      input Counter c;
      external "C" counter_free(c);
    end destructor;
  end Counter;
  function next
    input Counter c;
    output Integer k;
    external "C" k = counter_next(c);
  end next;
  model M
    Counter counter = Counter(3);
    Real x = next(counter);
  end M;
end ExternalObject_;
