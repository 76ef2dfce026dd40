// Rules of the specification that other tools do not enforce (--compatible).
// options --compatible
// expect y(1) = 3 ± 1e-12
// expect z(1) = 5 ± 1e-12
// expect long(1) = 9 ± 1e-12
// expect w(1) = 7 ± 1e-12
// expect made.x(1) = 8 ± 1e-12
// expect sink.plug.g(1) = 2 ± 1e-12
package OtherRules
  package Early
    annotation(version = "1");
    constant Real c = 3; // warning S023 with expected 'end' after the annotation
    constant Real d = 4;
    annotation(preferredView = "info"); // warning S023 with has a second annotation
  end Early;

  package Icons
    model Shape
    end Shape;
  end Icons;

  model Icon
    annotation(Icon());
  end Icon;

  connector Plug // warning F014 with has 2 flow variables and 1 potential variable
    Real e;
    flow Real f, g;
  end Plug;

  model Source // warning F015 with has 4 equations of its own for 3 unknowns
    Plug plug;
  equation
    plug.f = -1;
    plug.g = -2;
  end Source;

  model Sink
    Plug plug;
  equation
    plug.e = plug.f;
  end Sink;

  package Shapes
    extends Icons;
    extends Icon; // warning I031 with cannot extend model
    model Shape // warning I003 with the declarations differ
      Real x = 5;
    end Shape;
  end Shapes;

  model Maker
    Real t = time;
    model Made
      parameter Real r = 1;
      Real x = 2*r;
    end Made;
  end Maker;

  package Base
    function f
      output Real y = 1;
    algorithm
    end f;

    function rare
      output Real y = 1;
    algorithm
    end rare;
  end Base;

  package Part
    function f
      output Real y = 7;
    algorithm
    end f;
  end Part;

  model User
    replaceable package P = Base;
    Real w = P.f();
  end User;

  model Home
    type Length = Real(final unit = "m");
  end Home;

  model Main
    import OtherRules.Home.Length; // warning I035 with only elements of packages
    Length long = 9;
    Real y = Early.c;
    Real z = shape.x;
    Real w = user.w;
    Shapes.Shape shape;
    Source source;
    Sink sink;
    Maker.Made made(r = 4); // warning I037 with which is not a package
    User user(redeclare package P = Part); // warning I033 with it has no element 'rare'
  equation
    connect(source.plug, sink.plug);
  end Main;
end OtherRules;
// model OtherRules.Main
