// One element that is declared twice: the type has a shorter name through an import.
// expect p(1) = 2 ± 1e-12
package same_type_by_import
  package Units
    type Power = Real(unit = "W");
  end Units;
  model Base
    import same_type_by_import.Units;
    Units.Power p = 2*time "power";
  end Base;
  model M
    extends Base;
    same_type_by_import.Units.Power p = 2*time "the same power";
  end M;
end same_type_by_import;
