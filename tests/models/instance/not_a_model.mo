// expect error I002 line 4 with package
package P end P;
model Wrong
  P p;
end Wrong;
