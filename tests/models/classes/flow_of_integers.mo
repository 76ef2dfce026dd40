model FlowOfIntegers
  connector Port
    Integer level;
    flow Integer amount; // error I032 with declared 'flow', but is not a Real
  end Port;
  Port port;
equation
  port.level = 1;
end FlowOfIntegers;
