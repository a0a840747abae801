#!/usr/bin/env python3
"""The repository's own rules as tests. Each is one test case; the last line counts them.

TENURE_BUILD names the build whose layers are tried (default build/dev; configuring it is enough).
"""

import pathlib
import sys
import unittest

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent


def main():
    suite = unittest.defaultTestLoader.discover(str(HERE), pattern="*_check.py")
    result = unittest.TextTestRunner(stream=sys.stdout, verbosity=1).run(suite)
    # A test with several failing parts is still one test case.
    failed = {case.test_case.id() if hasattr(case, "test_case") else case.id()
              for case, _ in result.failures + result.errors}
    passed = result.testsRun - len(failed) - len(result.skipped)
    print(f"{passed} passed, {len(failed)} failed")
    return 0 if passed and not failed else 1


if __name__ == "__main__":
    sys.exit(main())
