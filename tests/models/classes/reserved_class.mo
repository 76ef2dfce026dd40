// expect error I034 line 3 with name of a predefined type
package P
  model String
    Real x = 1;
  end String;
end P;
model M
  P.String s;
end M;
