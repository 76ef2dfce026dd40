model ContinuousRejected "A String variable changes only at events"
  String s = String(time);
end ContinuousRejected;
// expect error D011 line 2
