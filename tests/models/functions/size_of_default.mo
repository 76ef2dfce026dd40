// A default value of an argument whose size depends on another argument.
// expect b.x[1](0.5) = exp(-0.5)*(cos(0.5) + 2*sin(0.5)) ± 1e-5
package SizeOfDefault
  operator record System
    Real A[:, size(A, 1)];
    String names[size(A, 1)] = fill("", size(A, 1));
    encapsulated operator 'constructor'
      function fromMatrix
        import SizeOfDefault.System;
        input Real A[:, size(A, 1)];
        input String names[size(A, 2)] = fill("", size(A, 2));
        output System result(
          redeclare Real A[size(A, 1), size(A, 2)], redeclare String names[size(A, 2)]);
      algorithm
        result.A := A;
        result.names := names;
      end fromMatrix;
    end 'constructor';
  end System;
  block Linear
    parameter System system;
    Real x[size(system.A, 1)](each start = 1, each fixed = true);
  equation
    der(x) = system.A*x;
  end Linear;
  model M
    parameter Real w = 2;
    Linear b(system = System(A = [0, 1; -w, -w]));
  end M;
end SizeOfDefault;
