#!/usr/bin/env python3
"""The repository's own rules as tests. Each is one test case; the last line counts them.

TENURE_BUILD names the build whose layers are tried (default build/dev; configuring it is enough).
"""

import pathlib
import sys
import unittest

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
import unittest_cases  # pylint: disable=wrong-import-position


def main():
    suite = unittest.defaultTestLoader.discover(str(HERE), pattern="*_check.py")
    return unittest_cases.run(suite)


if __name__ == "__main__":
    sys.exit(main())
