"""Runs test cases of unittest and counts them as scripts/test wants it: the last line is `N passed, N failed`."""

import sys
import unittest


def run(suite):
    """The exit code: 0 when something was run and nothing failed."""
    result = unittest.TextTestRunner(stream=sys.stdout, verbosity=1).run(suite)
    for _, why in result.skipped:
        print(f"not run: {why}")
    # A test with several failing parts is still one test case.
    failed = {(case.test_case if hasattr(case, "test_case") else case).id()
              for case, _ in result.failures + result.errors}
    passed = result.testsRun - len(failed) - len(result.skipped)
    print(f"{passed} passed, {len(failed)} failed")
    return 0 if passed and not failed else 1


def run_module(name):
    return run(unittest.defaultTestLoader.loadTestsFromModule(sys.modules[name]))
