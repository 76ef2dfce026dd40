model Secret end Secret;
