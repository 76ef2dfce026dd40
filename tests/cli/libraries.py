"""Libraries and packages of a user."""
import json, os, shutil, stat, struct, subprocess, sys, zipfile

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import program
from program import write


def call(*arguments, **more):
    """The user's libraries are in data, below the folder of the test."""
    return program.call(
        *arguments, env=dict(os.environ, KAIROS_DATA=os.path.abspath("data"), **more)
    )


def library(folder, name, version, value, more="", within=""):
    note = 'annotation(version="%s"%s);' % (version, more) if version else ""
    return write(
        "%s/package.mo" % folder,
        "%spackage %s model M Real x = %s; end M; %s end %s;\n" % (within, name, value, note, name),
    )


def archive(path, files):
    with zipfile.ZipFile(path, "w") as z:
        for name, text in files.items():
            z.writestr(name, text)
    return path


def value(model, *options):
    """The value of x in the flat model."""
    rc, out, err = call("flatten", model, *options)
    assert rc == 0, err
    return float(out.split("x = ")[1].split(";")[0])


def all_listed(*options):
    rc, out, err = call("lib", "list", "--diagnostics=json", *options)
    assert rc == 0, err
    return [(l["name"], l["version"], l["kind"], bool(l["shadowedBy"])) for l in json.loads(out)]


def listed(*options):
    """Those of the user."""
    return [l for l in all_listed(*options) if l[2] != "shipped"]


def test_shipped():
    assert [l[0] for l in all_listed() if l[2] == "shipped"] == ["Hybrid"]
    rc, _, err = call("check", "Hybrid.Examples.Circuits.Rectifier")
    assert rc == 0, err


def test_add_list_remove():
    assert listed() == []
    library("a/Alpha", "Alpha", "1.0", 1)
    rc, _, err = call("lib", "add", "a")
    assert rc == 0 and "added Alpha 1.0" in err, err
    assert listed() == [("Alpha", "1.0", "folder", False)]
    assert value("Alpha.M") == 1
    assert call("lib", "path", "Alpha")[1].strip() == os.path.abspath("a/Alpha")
    assert call("lib", "path")[1].strip() == os.path.abspath("data/libraries")
    rc, _, err = call("lib", "add", "a")
    assert rc == 2 and "lib remove Alpha" in err, err
    rc, _, err = call("lib", "remove", "Alpha")
    assert rc == 0 and "stays" in err and os.path.exists("a/Alpha/package.mo"), err
    assert listed() == []
    assert call("lib", "remove", "Alpha")[0] == 2 and call("lib", "path", "Alpha")[0] == 2


def test_at_once():
    """Processes that add or remove libraries at the same time lose nothing."""
    env = dict(os.environ, KAIROS_DATA=os.path.abspath("data"))

    def all_of(*commands):
        started = [
            subprocess.Popen([program.KAIROS, "lib", *c], env=env, stderr=subprocess.PIPE)
            for c in commands
        ]
        for p in started:
            err = p.communicate(timeout=120)[1]
            assert p.returncode == 0, err

    names = ["L%d" % k for k in range(8)]
    for name in names:
        library("%s/%s" % (name.lower(), name), name, "1.0", 1)
        text = 'package %s annotation(version="2.0"); end %s;' % (name, name)
        archive(name + ".zip", {name + " 2.0/package.mo": text})
    all_of(*[("add", name.lower()) for name in names], *[("add", n + ".zip") for n in names])
    both = {(name, version) for name in names for version in ("1.0", "2.0")}
    assert {l[:2] for l in listed()} == both, listed()
    all_of(*[("remove", name, "2.0") for name in names])
    assert {l[:2] for l in listed()} == {(name, "1.0") for name in names}, listed()
    left = [f for f in os.listdir("data/libraries") if f not in ("index", "lock")]
    assert not left, left


def test_home_that_cannot_be_written():
    """Only what needs the home fails, with the place."""
    model = write("H.mo", "model H Real x(start = 1, fixed = true); equation der(x) = -x; end H;")
    for home in None, "/dev/null", "/proc/none":
        env = {"PATH": os.environ["PATH"], **({"HOME": home} if home else {})}
        rc, _, err = program.call("simulate", model, "--output", "h.csv", env=env)
        assert rc == 0, err
        rc, out, err = program.call("lib", "list", env=env)
        assert rc == 0 and "Hybrid" in out, err
        rc, _, err = program.call("lib", "add", ".", env=env)
        assert rc == 2 and (home or "set KAIROS_DATA or HOME") in err, err
    env = {"PATH": os.environ["PATH"], "TMPDIR": "/dev/null"}
    rc, _, err = program.call("simulate", model, "--compiler", "cc", "--output", "h.csv", env=env)
    assert rc == 1 and "cannot make a folder in '/dev/null'" in err and "TMPDIR" in err, err


def test_checkouts_and_folders_of_packages():
    os.makedirs("co/.git")
    library("co/lib/Beta", "Beta", "", 2)
    library("co/more/Gamma 3.0.0", "Gamma", "3.0.0", 3)
    write("co/more/Delta.mo", "package Delta model M Real x = 4; end M; end Delta;")
    rc, _, err = call("lib", "add", "co")
    assert rc == 0, err
    assert sorted(listed()) == [
        ("Beta", None, "checkout", False),
        ("Delta", None, "checkout", False),
        ("Gamma", "3.0.0", "checkout", False),
    ]
    assert [value(n + ".M") for n in ("Beta", "Gamma", "Delta")] == [2, 3, 4]
    library(
        "repository-main", "Epsilon", "5.0", 5
    )  # a checkout that is a package, under another name
    assert call("lib", "add", "repository-main")[0] == 0 and value("Epsilon.M") == 5
    assert (
        call("lib", "remove", os.path.abspath("co"))[0] == 0
        and call("lib", "remove", "Epsilon", "5.0")[0] == 0
    )
    assert listed() == []


def test_versions_by_uses():
    library("v/Lib 2.0.0", "Lib", "2.0.0", 2)
    library("v/Lib 10.0.0", "Lib", "10.0.0", 10, ', conversion(noneFromVersion="9.0.0")')
    library("v/Lib 1.0.0", "Lib", "1.0.0", 1)
    assert value("Lib.M", "--library", "v") == 10  # the newest, by number
    for version, want, warned in (
        ("1.0.0", 1, False),
        ("2.0.0", 2, False),
        ("9.0.0", 10, False),
        ("3.0.0", 10, True),
    ):
        m = write(
            "u.mo", 'model U extends Lib.M; annotation(uses(Lib(version="%s"))); end U;' % version
        )
        assert value(m, "--library", "v") == want
        rc, _, err = call("check", m, "--library", "v")
        assert rc == 0 and ("I057" in err) == warned and ("18.8.2" in err) == warned, err


def test_order_of_places():
    for k, place in enumerate(("o1", "o2", "o3")):
        library(place + "/Same", "Same", "1.0", k + 1)
    assert call("lib", "add", "o3")[0] == 0
    assert value("Same.M") == 3
    p = call("flatten", "Same.M", MODELICAPATH=os.path.abspath("o2"))[1]
    assert "x = 2" in p, p
    p = call("flatten", "Same.M", "--library", "o1", MODELICAPATH=os.path.abspath("o2"))[1]
    assert "x = 1" in p, p
    assert listed("--library", "o1") == [
        ("Same", "1.0", "path", False),
        ("Same", "1.0", "folder", True),
    ]
    assert "shadowed by o1/Same" in call("lib", "list", "--library", "o1")[1]
    assert call("lib", "remove", "Same")[0] == 0


def test_missing_library():
    for text in ("Far.M m;", "Real x = Far.f(1);", "import Far.M; M m;", "extends Far.M;"):
        rc, _, err = call("check", write("m.mo", "model Miss\n  %s\nend Miss;" % text))
        assert rc == 1 and "m.mo:2:" in err and "'Far'" in err and "kairos lib add" in err, err
    rc, _, err = call(
        "check",
        write("m.mo", 'model Miss\n  Far.M m;\n  annotation(uses(Far(version="7.1")));\nend Miss;'),
    )
    assert rc == 1 and "version 7.1" in err and "kairos lib add" in err, err


def test_class_in_a_file_of_another_name():
    """It is not found (section 13.4), but the message names the file, each time the same."""
    write("named/NewModel.mo", "// text\nmodel Buck Real x = 1; end Buck;\nmodel Boost end Boost;")
    write("named/below/Deep.mo", "model Deep end Deep;")
    write("named/Folder/package.mo", "package Pack model A end A; end Pack;")
    write("named/Words.mo", 'model Words "Buck, Far" end Words;')
    for use, place, words in (
        ("Buck b, c;", "named/NewModel.mo:2:7:", "rename the file"),
        ("Boost b;", "named/NewModel.mo:3:7:", "'Boost.mo'"),
        ("extends .Buck;", "named/NewModel.mo:2:7:", "'Buck.mo'"),
        ("Deep b;", "named/below/Deep.mo:1:7:", "move the file"),
        ("Pack.A b; Pack.A c;", "named/Folder/package.mo:1:9:", "a folder 'Pack'"),
    ):
        model = write("uses.mo", "model Uses\n  %s\nend Uses;" % use)
        rc, _, err = call("check", model, "--library", "named")
        assert rc == 1 and place + " note: class" in err and words in err, err
        assert err.count("is in this file") == err.count("I001"), err
    for use in ("Far b;", "Far.A b;"):  # a word of a file, but no class
        rc, _, err = call("check", write("uses.mo", "model Uses %s end Uses;" % use), "--library",
                          "named")
        assert rc == 1 and "I001" in err and "is in this file" not in err, err
    model = write("uses.mo", "model Uses Buck b; end Uses;")
    rc, _, err = call("check", model, "named/NewModel.mo")
    assert rc == 0, err


def test_zip():
    package = 'package Zed model M Real x = 26; end M; annotation(version="1.2"); end Zed;'
    archive("zed.zip", {"zed-1.2/Zed/package.mo": package, "zed-1.2/README": "text"})
    rc, _, err = call("lib", "add", "zed.zip")
    assert rc == 0 and "Zed 1.2" in err, err
    assert listed() == [("Zed", "1.2", "zip", False)] and value("Zed.M") == 26
    os.remove("zed.zip")
    assert value("Zed.M") == 26
    assert call("lib", "remove", "Zed", "9")[0] == 2
    assert call("lib", "remove", "Zed", "1.2")[0] == 0
    assert set(os.listdir("data/libraries")) <= {"index", "lock"}, os.listdir("data/libraries")


def refused(path, *words):
    rc, _, err = call("lib", "add", path)
    assert rc == 2 and all(w in err for w in words), (path, rc, err)
    assert set(os.listdir("data/libraries")) <= {"index", "lock"}, os.listdir("data/libraries")
    assert listed() == []


def test_bad_zips():
    package = "package Bad end Bad;"
    for name in ("../out.mo", "/out.mo", "a/../../out.mo", "..\\out.mo", "C:/out.mo"):
        refused(
            archive("bad.zip", {"Bad/package.mo": package, name: "x"}),
            "bad.zip",
            "not a name inside the archive",
        )
    assert not os.path.exists("out.mo") and not os.path.exists("data/out.mo")
    with zipfile.ZipFile("bad.zip", "w") as z:
        link = zipfile.ZipInfo("Bad/link")
        link.create_system, link.external_attr = 3, (stat.S_IFLNK | 0o777) << 16
        z.writestr(link, "/etc")
    refused("bad.zip", "Bad/link", "neither a file nor a folder")
    refused(write("bad.zip", "this is no archive"), "Not a zip archive")
    refused(write("bad.zip", ""), "bad.zip")
    data = open(archive("bad.zip", {"Bad/package.mo": package * 100}), "rb").read()
    open("bad.zip", "wb").write(data[: len(data) // 2])
    refused("bad.zip", "bad.zip")
    open("bad.zip", "wb").write(
        data.replace(b"package", b"PACKAGE", 3)
    )  # the checksum no longer fits
    refused("bad.zip", "bad.zip")
    at = data.index(b"PK\x01\x02")
    open("bad.zip", "wb").write(
        data[: at + 24] + struct.pack("<I", 0xFFFFFFF0) + data[at + 28 :]
    )  # declares a size of 4 GB
    refused("bad.zip", "bad.zip")
    refused(archive("bad.zip", {"notes.txt": "nothing here"}), "no Modelica package")
    os.makedirs("empty", exist_ok=True)
    refused("empty", "no Modelica package")
    refused("nowhere", "nowhere")


def messages(*arguments):
    rc, _, err = call("check", "--diagnostics=json", *arguments)
    return [
        (d["code"], d["message"], os.path.basename(d.get("file") or ""), d.get("line"))
        for d in json.loads(err)
    ], err


def told(code, *arguments, line=None, file=None, words=(), section=""):
    all_, err = messages(*arguments)
    fit = [
        m
        for m in all_
        if m[0] == code
        and (line is None or m[3] == line)
        and (file is None or m[2] == file)
        and all(w in m[1] for w in words)
    ]
    assert len(fit) == 1 and section in err, (code, err)
    assert len({m[0] for m in all_}) == 1, err


def package(files):
    shutil.rmtree("P", ignore_errors=True)
    write("P/package.mo", "within;\npackage P\n  constant Real c = 1;\nend P;\n")
    write("P/package.order", "c\nM\n")
    write("P/M.mo", "within P;\nmodel M\n  Real x = c;\nend M;\n")
    for name, text in files.items():
        write("P/" + name, text)
    return ("P.M", "--library", ".")


def test_packages():
    assert messages(*package({}))[0] == []
    told(
        "I051",
        *package({"M.mo": "within P.Q;\nmodel M end M;"}),
        line=1,
        file="M.mo",
        words=("P.Q", "'P'"),
        section="13.4.3"
    )
    told(
        "I052",
        *package({"M.mo": "model M end M;"}),
        line=1,
        file="M.mo",
        words=("within P;",),
        section="13.4.3"
    )
    told(
        "I051",
        *package({"package.mo": "within Q;\npackage P end P;"}),
        line=1,
        file="package.mo",
        words=("within;",)
    )
    told(
        "I050",
        *package({"M.mo": "within P;\nmodel N end N;"}),
        line=2,
        words=("'M'", "'N'"),
        section="13.4.1"
    )
    told("I050", *package({"M.mo": "within P;\n"}), words=("'M'", "no class"))
    told(
        "I050", *package({"package.mo": "within;\npackage Q end Q;"}), line=2, words=("'P'", "'Q'")
    )
    told(
        "I053",
        *package({"package.order": "c\nM\nGone\n"}),
        line=3,
        file="package.order",
        words=("Gone",),
        section="13.4.1"
    )
    told(
        "I053",
        *package({"package.order": "c\n"}),
        file="package.order",
        words=("does not list 'M'",)
    )
    told("I053", *package({"package.order": "c\nM\nc\n"}), line=3, words=("'c' twice",))
    told(
        "I054",
        *package({"M/package.mo": "within P;\npackage M end M;"}),
        words=("M.mo", "M/package.mo"),
        section="13.4.1"
    )
    told(
        "I054",
        *package({"package.mo": "within;\npackage P model M end M; end P;", "package.order": "M"}),
        line=2,
        words=("M.mo",)
    )
    told(
        "I055",
        *package({"Sub/A.mo": "within P.Sub;\nmodel A end A;"}),
        words=("P/Sub",),
        section="13.4.1"
    )
    assert messages(*package({"Resources/Data/A.mo": "anything"}))[0] == []
    told(
        "I056",
        *package({"m.mo": "within P;\nmodel m end m;", "package.order": "c\nM\nm"}),
        words=("'M'", "'m'")
    )


def test_text_of_packages():
    args = package({})
    write("P/M.mo", '\ufeffwithin P;\nmodel M "größer"\n  Real x = c;\nend M;\n')
    assert messages(*args)[0] == []
    write("P/M.mo", 'within P;\nmodel M "größer"\n  Real x = c;\nend M;\n', encoding="latin-1")
    told("S013", *args, line=2, file="M.mo")


def test_a_file_within_its_library():
    package(
        {
            "Sub/package.mo": "within P;\npackage Sub\n  constant Real k = 2;\nend Sub;",
            "package.order": "c\nM\nSub",
            "Sub/A.mo": "within P.Sub;\nmodel A\n  extends M;\n  Real y = k + Beside.d;\nend A;",
        }
    )
    write("Beside.mo", "package Beside constant Real d = 3; end Beside;")
    for arguments in (
        ["P/Sub/A.mo"],
        ["P/Sub/package.mo", "--model", "P.Sub.A"],
        ["P/package.mo", "--model", "P.M"],
        ["P", "--model", "P.M"],
        ["P", "--model", "P.Sub.A", "--library", "."],
    ):
        assert messages(*arguments)[0] == [], (arguments, messages(*arguments))
    write("P/Sub/A.mo", "within P;\nmodel A end A;")
    told("I051", "P/Sub/A.mo", line=1, words=("'Sub'",))
    write("P/Sub/A.mo", "model A end A;")
    told("I052", "P/Sub/A.mo", line=1)


def test_sources_of_another_library():
    """A function that links with the library of another package gets that package's C sources."""
    write("far/Far/package.mo", "package Far end Far;\n")
    write("far/Far/Resources/C-Sources/Twice.h", "double far_twice(double x);\n")
    write(
        "far/Far/Resources/C-Sources/Twice.c",
        '#include "Twice.h"\ndouble far_twice(double x) { return 2*x; }\n',
    )
    write(  # for another system
        "far/Far/Resources/C-Sources/Other.c",
        "#include <header_of_another_system.h>\nother far_twice(void);\n",
    )
    write(
        "near/Near/package.mo",
        """package Near
  function twice
    input Real u; output Real y;
    external "C" y = far_twice(u) annotation(IncludeDirectory = "modelica://Far/Resources/C-Sources", Include = "#include \\"Twice.h\\"",
      Library = "Far", LibraryDirectory = "modelica://Far/Resources/Library");
  end twice;
  model M constant Real c = twice(21); Real y[integer(c)] = fill(1.0, integer(c)); Real x = 42; end M;
end Near;
""",
    )
    assert value("Near.M", "--library", "far", "--library", "near") == 42


def test_c_code_of_the_standard_library():
    """A function of any package may link with the C libraries of package Modelica."""
    write("Modelica/package.mo", "package Modelica end Modelica;\n")
    write("Modelica/Resources/C-Sources/All.c", "double all_twice(double x) { return 2*x; }\n")
    m = write(
        "m.mo",
        """model M
  function twice
    input Real u;
    output Real y;
    external "C" y = all_twice(u) annotation(Library = "ModelicaExternalC");
  end twice;
  Real y = twice(time);
end M;
""",
    )
    rc, _, err = call("simulate", m, "--library", ".", "--output", "r.csv")
    with open("r.csv") as f:
        assert rc == 0 and f.read().split()[-1] == "1,2", err


PIECES = """package Pieces
  function outer_part
    input Real u; output Real y;
    external "C" y = pieces_outer(u) annotation(Library = "Pieces");
  end outer_part;
  function inner_part
    input Real u; output Real y;
    external "C" y = pieces_other(u) annotation(Include = "
      double pieces_inner(double u) { return 3*u; }
      static double pieces_other(double u) { return u; }");
  end inner_part;
  model Lacking Real y = if time < 0.5 then time else outer_part(time); end Lacking;
  model Whole Real y = outer_part(2) + 0*inner_part(time); end Whole;
end Pieces;
"""


def test_a_function_that_sources_lack():
    """It comes from another function of the model, or is an error of the model when called."""
    write("Pieces/package.mo", PIECES)
    write(
        "Pieces/Resources/C-Sources/Outer.c",
        (
            "double pieces_inner(double u);\ndouble pieces_outer(double u) { return"
            " pieces_inner(u); }\n"
        ),
    )
    rc, _, err = call("simulate", "Pieces.Lacking", "--library", ".", "--output", "r.csv")
    assert rc == 3 and "its code calls 'pieces_inner', which none of its libraries has" in err, err
    rc, _, err = call("simulate", "Pieces.Whole", "--library", ".", "--output", "r.csv")
    with open("r.csv") as f:
        assert rc == 0 and f.read().split()[-1] == "1,6", err


def test_compiled_libraries_cannot_end_the_program():
    if program.SANITIZED:  # which does not allow to take these calls from the library
        return
    write("Pieces/package.mo", PIECES)
    folder = "Pieces/Resources/Library/"
    for ending, words in (
        ("exit(0)", "its code called exit(0)"),
        ("_exit(7)", "its code called _exit(7)"),
        ("abort()", "its code called abort()"),
        ("assert(u < 0.5)", "assertion 'u < 0.5' failed"),
        ("*(volatile int *)16 = 1", "its code used memory that is not its own"),
        ("volatile char b[9000]; *b = 0; u += pieces_outer(u) + *b", "its code used up the stack"),
        ("u /= (int)u / (int)(u - 0.5)", "its code divided an integer by zero"),
    ):
        write(
            folder + "outer.c",
            "#include <assert.h>\n#include <stdlib.h>\n#include <unistd.h>\n"
            "double pieces_outer(double u) { %s; return u; }\n" % ending,
        )
        subprocess.run(
            ["cc", "-shared", "-fPIC", "-o", folder + "libPieces.so", folder + "outer.c"],
            check=True,
        )
        rc, _, err = call("simulate", "Pieces.Lacking", "--library", ".", "--output", "r.csv")
        assert rc == 3 and words in err, (ending, rc, err)


def test_resources():
    write("P/Resources/data.txt", "1 2")
    m = write(
        "r.mo",
        (
            "model R\n  parameter String s ="
            ' Modelica.Utilities.Files.loadResource("modelica://P/Resources/data.txt");\nend R;'
        ),
    )
    assert call("check", m, "--library", ".")[0] == 1
    write("P/package.mo", "package P end P;")
    write(
        "ModelicaServices.mo",
        (
            "package ModelicaServices package ExternalReferences function loadResource input String"
            " uri; output String fileReference; algorithm fileReference := uri; end loadResource;"
            " end ExternalReferences; end ModelicaServices;"
        ),
    )
    for uri, words in (
        ("P/Resources/data.txt", None),
        ("P/Resources/none.txt", "which 'modelica://P/Resources/none.txt' names"),
        ("Q/Resources/data.txt", "names an unknown package"),
    ):
        write(
            "r.mo",
            "model R\n  parameter String s ="
            ' ModelicaServices.ExternalReferences.loadResource("modelica://%s");\n  Real x = if s'
            ' == "" then 0 else time;\nend R;' % uri,
        )
        rc, out, err = call("simulate", "r.mo", "--library", ".", "--output", "r.csv")
        assert rc == 0 if words is None else rc != 0 and words in err, (uri, rc, err)
        assert '"modelica://%s"' % uri in call("flatten", "r.mo", "--library", ".")[1]


program.run_tests()
