"""What may be committed: small files, scenarios under their own names, nothing of one machine."""

import json
import re
import unittest

from sources import ROOT, committed, name_of

LARGEST = 64 * 1024
# Seeds and what a real system once said are kept as they are.
MAY_BE_LARGE = ("tests/fuzz/corpus/", "tests/conformance/")
TENURE_KIND = re.compile(r"^kind:\s*[\"']?(Scenario|Sweep|Exploration|Explore)\b", re.MULTILINE)
BLOCK_NAME = re.compile(r"^metadata:[^\S\n]*(?:#[^\n]*)?\n(?:[ \t]+[^\n]*\n|[ \t]*#[^\n]*\n)*?[ \t]+name:[ \t]*([^\s#]+)", re.MULTILINE)
FLOW_NAME = re.compile(r"^metadata:[ \t]*\{[^}\n]*?\bname:[ \t]*([^\s,}]+)", re.MULTILINE)
# Put together from pieces, so that this file does not match itself.
MACHINE_PATH = re.compile(r"(?<![\w.}>*-])/(?:" + "|".join(["work", "root"]) + r")/")


def declared_names(path):
    """metadata.name of each tenure document in a scenario file."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".json":
        return [json.loads(text)["metadata"]["name"]]
    names = []
    for document in re.split(r"^---\s*$", text, flags=re.MULTILINE):
        if TENURE_KIND.search(document):
            found = BLOCK_NAME.search(document) or FLOW_NAME.search(document)
            names.append(found.group(1).strip("\"'") if found else None)
    return names


def is_text(content):
    return b"\0" not in content


class RepositoryCheck(unittest.TestCase):
    def test_no_file_is_larger_than_64_kib(self):
        files = [path for path in committed() if not name_of(path).startswith(MAY_BE_LARGE)]
        self.assertEqual([name_of(path) for path in files if path.stat().st_size > LARGEST], [])

    def test_a_scenario_file_is_named_after_its_scenario(self):
        for path in committed():
            if not name_of(path).startswith("scenarios/") or path.suffix not in (".yaml", ".yml", ".json"):
                continue
            names = declared_names(path)
            with self.subTest(file=name_of(path)):
                # Rule files and Kubernetes objects carry no tenure document.
                self.assertTrue(not names or path.stem in names, f"metadata.name is {names}")

    def test_no_text_mentions_a_path_of_one_machine(self):
        found = []
        for path in committed():
            content = path.read_bytes()
            if is_text(content) and MACHINE_PATH.search(content.decode("utf-8", "replace")):
                found.append(name_of(path))
        self.assertEqual(found, [])

    def test_nothing_of_a_build_is_committed(self):
        suffixes = (".o", ".a", ".so", ".pyc", ".profraw", ".gcda", ".gcno")
        self.assertEqual([name_of(path) for path in committed() if path.suffix in suffixes], [])

    def test_every_script_can_be_executed(self):
        scripts = [ROOT / ".ci" / "run", *sorted((ROOT / "scripts").iterdir())]
        unusable = [name_of(path) for path in scripts if not path.suffix and not path.stat().st_mode & 0o100]
        self.assertEqual(unusable, [])
