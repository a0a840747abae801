"""Nothing that decides may depend on luck, on the machine or on the hour."""

import re
import unittest

from layer_table import SCHEDULE
from sources import ROOT, matches, product

LIBM = r"std::(?:a?(?:sin|cos|tan)h?|atan2|exp2?|expm1|log(?:2|10|1p)?|pow|cbrt|hypot|[tl]gamma|erfc?)f?\s*\("
CLOCKS = r"\b(?:system_clock|steady_clock|high_resolution_clock|clock_gettime|gettimeofday)\b"


class DeterminismCheck(unittest.TestCase):
    def check_absent(self, pattern, layers=None):
        expression = re.compile(pattern)
        sources = [path for layer, path in product() if layers is None or layer in layers]
        self.assertEqual([place for path in sources for place in matches(path, expression)], [])

    def test_no_container_iterates_in_hash_order(self):
        self.check_absent(r"\bunordered_")

    def test_no_random_numbers_but_the_oracles(self):
        self.check_absent(r"#\s*include\s*<random>|\bstd::rand\b|\bsrand\s*\(|\brandom_device\b")

    def test_no_libm_in_the_layers_that_feed_the_schedule(self):
        # Its last digit differs between versions, and a nanosecond moves every event after it.
        self.check_absent(rf"#\s*include\s*<(?:cmath|math\.h|complex|valarray)>|{LIBM}", SCHEDULE)

    def test_no_real_clock_and_no_environment_in_the_layers_that_feed_the_schedule(self):
        self.check_absent(rf"{CLOCKS}|\bgetenv\b", SCHEDULE)

    def test_no_build_file_lets_the_compiler_change_arithmetic(self):
        files = [ROOT / "CMakeLists.txt", ROOT / "CMakePresets.json", *sorted((ROOT / "cmake").glob("*.cmake"))]
        loose = re.compile(r"-Ofast|-ffast-math|-funsafe-math|-ffp-contract=(?!off)|-march=native")
        self.assertEqual([path.name for path in files if loose.search(path.read_text())], [])
