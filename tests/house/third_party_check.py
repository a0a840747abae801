"""Packages lie in the compiler's default path, where every layer could see them; this looks instead."""

import re
import unittest

from layer_table import STANDS_ON, THIRD_PARTY
from sources import code_lines, name_of, product

INCLUDE = re.compile(r'#\s*include\s*[<"]([^">]+)[">]')


def allowed_layers(header):
    """The layers that may include the header; None where the table has no word on it."""
    prefixes = [prefix for prefix in THIRD_PARTY if header.startswith(prefix)]
    return THIRD_PARTY[max(prefixes, key=len)] if prefixes else None


class ThirdPartyCheck(unittest.TestCase):
    def check_layer(self, layer):
        found = []
        for owner, path in product():
            if owner != layer:
                continue
            for number, line in code_lines(path):
                include = INCLUDE.search(line)
                layers = allowed_layers(include.group(1)) if include else None
                if layers is not None and layer not in layers:
                    found.append(f"{name_of(path)}:{number}: {line.strip()} (allowed in {layers})")
        self.assertEqual(found, [])

    def test_the_longest_prefix_decides(self):
        self.assertEqual(allowed_layers("boost/math/distributions.hpp"), ["stats"])
        self.assertEqual(allowed_layers("boost/optional.hpp"), [])
        self.assertIsNone(allowed_layers("vector"))


def add_layer_test(layer):
    name = f"test_{layer}_includes_third_party_headers_only_as_the_table_allows"
    setattr(ThirdPartyCheck, name, lambda self: self.check_layer(layer))


for each in STANDS_ON:
    add_layer_test(each)
