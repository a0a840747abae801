"""Each layer sees what the table allows and nothing else, and the compiler is the judge."""

import json
import os
import pathlib
import re
import subprocess
import unittest

from layer_table import ELECT_MAY_INCLUDE, STANDS_ON, closure
from sources import ROOT, committed, matches, name_of, product

BUILD = pathlib.Path(os.environ.get("TENURE_BUILD", ROOT / "build" / "dev"))
INCLUDE_OF_A_LAYER = re.compile(r"#\s*include\s*<(tenure/[^>]+)>")


def build_information():
    return json.loads((BUILD / "layers.json").read_text(encoding="utf-8"))


def some_header(layer):
    """A header of the layer, so that a refusal cannot come from naming a file that is nowhere."""
    headers = sorted((ROOT / "include" / "tenure" / layer).glob("*.hpp"))
    return f"tenure/{layer}/{headers[0].name}" if headers else None


def compile_text(compiler, directories, text):
    command = [compiler, "-std=c++20", "-fsyntax-only", "-x", "c++"]
    command += [f"-I{directory}" for directory in directories if directory] + ["-"]
    environment = dict(os.environ, LC_ALL="C")
    return subprocess.run(command, input=text, text=True, capture_output=True, env=environment, check=False)


class LayersCheck(unittest.TestCase):
    def check_refused(self, compiler, directories, header):
        result = compile_text(compiler, directories, f"#include <{header}>\n")
        self.assertNotEqual(result.returncode, 0, f"<{header}> compiles and must not")
        # g++ says "No such file or directory", clang "file not found".
        self.assertRegex(result.stderr, rf"{re.escape(header)}'?:? (No such file|file not found)")

    def check_layer(self, layer):
        information = build_information()
        compiler, directories = information["compiler"], information["layers"][layer]
        # The build may declare less than the table allows, never more.
        roots = {pathlib.Path(directory).name for directory in directories}
        self.assertIn(layer, roots)
        allowed = [some_header(lower) for lower in sorted(closure(layer) & roots)]
        wanted = "".join(f"#include <{header}>\n" for header in allowed if header)
        result = compile_text(compiler, directories, wanted)
        self.assertEqual(result.returncode, 0, f"an allowed include is refused:\n{result.stderr}")
        for other in sorted(set(STANDS_ON) - closure(layer)):
            if some_header(other):
                with self.subTest(forbidden=other):
                    self.check_refused(compiler, directories, some_header(other))

    def test_every_layer_of_the_build_is_in_the_table(self):
        self.assertLessEqual(set(build_information()["layers"]), set(STANDS_ON))

    def test_every_folder_of_sources_and_unit_tests_is_a_layer(self):
        parents = [ROOT / "include" / "tenure", ROOT / "sim", ROOT / "tests" / "unit"]
        folders = [folder for parent in parents if parent.is_dir() for folder in parent.iterdir()]
        # A folder under another name would be built by nobody.
        strangers = [name_of(folder) for folder in folders if folder.is_dir() and folder.name not in STANDS_ON]
        self.assertEqual(strangers, [])

    def test_every_unit_test_has_a_name_the_build_finds(self):
        sources = (path for path in committed() if name_of(path).startswith("tests/unit/"))
        lost = [name_of(path) for path in sources if path.suffix == ".cpp" and not path.stem.endswith("_test")]
        self.assertEqual(lost, [])

    def test_no_include_climbs_out_of_its_folder(self):
        # "../world/step.hpp" would walk around the include roots.
        climb = re.compile(r'#\s*include\s*["<][^">]*\.\./')
        self.assertEqual([place for _, path in product() for place in matches(path, climb)], [])

    def test_electors_include_messages_and_never_servers(self):
        found = []
        for layer, path in product():
            if layer != "elect":
                continue
            for place in matches(path, INCLUDE_OF_A_LAYER):
                header = INCLUDE_OF_A_LAYER.search(place).group(1)
                if not header.startswith(("tenure/elect/", "tenure/base/")) and header not in ELECT_MAY_INCLUDE:
                    found.append(place)
        self.assertEqual(found, [])


def add_layer_test(layer):
    def test(self):
        if layer not in build_information()["layers"]:
            self.skipTest("not built yet")
        self.check_layer(layer)

    setattr(LayersCheck, f"test_{layer}_compiles_with_what_it_stands_on_and_with_nothing_else", test)


for name in STANDS_ON:
    add_layer_test(name)
