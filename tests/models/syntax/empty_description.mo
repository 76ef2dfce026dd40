model M "" + ""
  Real x = time "" + "a" + "";
  // expect ok
end M;
