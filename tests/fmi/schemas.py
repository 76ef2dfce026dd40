"""Descriptions of FMUs against the published schemas, in the folder `schema` of
KAIROS_FMI_STANDARD: fmi2ModelDescription.xsd, fmi3ModelDescription.xsd,
fmi3TerminalsAndIcons.xsd, or some of them."""
import os, subprocess, sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import client, program
from program import check, write


def check_file(what, schema, file):
    schema = os.path.join(os.environ["KAIROS_FMI_STANDARD"], "schema", schema)
    if not os.path.exists(schema):
        return 0
    p = subprocess.run(["xmllint", "--noout", "--schema", schema, file], stderr=subprocess.PIPE)
    check(what, p.returncode == 0, p.stderr[-500:])
    return 1


def test_descriptions():
    checked = 0
    for version in (2, 3):
        for path, name in client.examples():
            fmu, messages = client.export(path, version, "both")
            fmu = fmu or client.export(path, version, "cs")[0]
            if not fmu:
                continue
            file = os.path.join(fmu.folder, "modelDescription.xml")
            schema = "fmi%dModelDescription.xsd" % version
            checked += check_file("%s, FMI %d" % (name, version), schema, file)
    check("descriptions are checked", checked > 25, checked)


def test_terminals():
    write("Pins.mo", client.PINS)
    fmu, messages = client.export("Pins.mo", 3, "cs", "--model", "Pins.Source")
    file = os.path.join(fmu.folder, client.TERMINALS)
    check_file("terminals", "fmi3TerminalsAndIcons.xsd", file)


program.run_tests()
