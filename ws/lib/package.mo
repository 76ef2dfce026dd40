package lib end lib;
