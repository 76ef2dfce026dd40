// Initial equations that only relate left limits leave equal variables one left limit: the value
// that an initial equation gives to `active` is that of `here` too.
// expect step.active(0.2) = 1
// expect step.active(0.7) = 0
// expect event 0.5
model LeftLimitsRelated
  block Part
    output Boolean here;
    Boolean next, old;
    input Boolean leave;
  initial equation
    pre(next) = pre(here);
    pre(old) = pre(here);
  equation
    here = pre(next);
    next = here and not leave;
    when here then
      old = here;
    end when;
  end Part;
  block Step
    output Boolean active;
    extends Part;
  initial equation
    active = true;
  equation
    active = here;
  end Step;
  Step step(leave = time > 0.5);
end LeftLimitsRelated;
