// expect error I103 line 3 with Clock is made of
model ConstructorType
  Clock c = Clock("fast");
end ConstructorType;
