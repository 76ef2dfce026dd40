"""Messages about rules of the language name the section of the specification."""
import json, os, subprocess, sys, tempfile

KAIROS = sys.argv[1]
CASES = [("model M Real x; Real x; equation x = 1; end M;", "I003", "4.2"),
         ("model M Real x; equation if time > 1 then x = 1; end if; end M;", "F006", "8.3.4"),
         ("model M Real x; end M;", "F001", "4.7"),
         ("connector C Real v; end C; model M C c; equation c.v = 1; end M;", "F014", "9.3.1"),
         ("model M Real x[3] = {1, 2}; end M;", "I102", "10.6")]
with tempfile.TemporaryDirectory() as folder:
    for text, code, section in CASES:
        path = os.path.join(folder, "m.mo")
        open(path, "w").write(text)
        p = subprocess.run([KAIROS, "check", path, "--diagnostics", "json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        told = json.loads(p.stdout or p.stderr)
        assert p.returncode == 1 and told[0]["code"] == code, (text, told)
        assert any("section " + section in note["message"] for note in told[0]["notes"]), (text, told)
