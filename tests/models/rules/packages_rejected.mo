// Chapter 13: imports.
// options --all
package PackagesRejected
  package P
    constant Real c = 1;
    model M
      Real x = 1;
    end M;
  protected
    constant Real hidden = 2;
  end P;
  model NoModel
    Real x = 1;
    model Inner
    end Inner;
  end NoModel;
  model Unknown
    import PackagesRejected.Q.*; // error I001 with 'Q'
    import PackagesRejected.P.{M, e}; // error I001 with 'e'
    Real y = 1;
  end Unknown;
  model UnknownElement
    import PackagesRejected.P.d; // error I001 with 'd'
    Real y = d;
  end UnknownElement;
  model Twice
    import PackagesRejected.P.c;
    import c = PackagesRejected.P.M; // error I035
    Real y = c;
  end Twice;
  model Hidden
    import PackagesRejected.P.hidden; // error I035
    Real y = hidden;
  end Hidden;
  model FromModel
    import PackagesRejected.NoModel.*; // error I035
    Real y = 1;
    Inner i;
  end FromModel;
  model NotATopName
    import P.c; // error I001 with 'P'
    Real y = c;
  end NotATopName;
end PackagesRejected;
