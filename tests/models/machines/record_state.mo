// expect error F019 line 7 with a state must be a block
model RecordState
  record R
    Integer i = 0;
  end R;
  R r;
equation initialState(r);
end RecordState;
