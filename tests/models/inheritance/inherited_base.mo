// expect error I031 line 8 with is inherited by
model M
  model A
    model B
    end B;
  end A;
  extends A;
  extends B;
end M;
