"""Messages about rules of the language name the section of the specification."""
import json, os, sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import program
from program import call, check, write

CASES = [
    ("model M Real x; Real x; equation x = 1; end M;", "I003", "4.2"),
    ("model M Real x; equation if time > 1 then x = 1; end if; end M;", "F006", "8.3.4"),
    ("model M Real x; end M;", "F001", "4.7"),
    ("connector C Real v; end C; model M C c; equation c.v = 1; end M;", "F014", "9.3.1"),
    ("model M Real x[3] = {1, 2}; end M;", "I102", "10.6"),
]


def test_sections():
    for text, code, section in CASES:
        rc, out, err = call("check", write("m.mo", text), "--diagnostics", "json")
        told = json.loads(out or err)
        check(text, rc == 1 and told[0]["code"] == code, told)
        check(text, any("section " + section in note["message"] for note in told[0]["notes"]), told)


program.run_tests()
