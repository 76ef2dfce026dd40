// expect error I090 with which is not yet supported
model external_record_with_array
  record Data
    Real v[2];
  end Data;
  function use
    input Data a;
    output Real y;
  external "C" y = ext_use(a)
    annotation(Include = "static double ext_use(void *a) { return 1; }");
  end use;
  constant Real c = use(Data({1, 2}));
  Real y = c;
end external_record_with_array;
