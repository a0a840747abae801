"""The counter of test cases, on which the last line of scripts/test rests."""

import sys
import unittest

from sources import ROOT

sys.path.insert(0, str(ROOT / "tests" / "support"))
from count_cases import cases_of  # noqa: E402  (the path is known only now)


def summary(passed, failed):
    total = passed + failed
    return f"...\n[doctest] test cases: {total:3} | {passed:3} passed | {failed} failed | 0 skipped\n"


class CountingCheck(unittest.TestCase):
    def test_a_doctest_binary_counts_its_cases(self):
        self.assertEqual(cases_of(True, summary(12, 0), is_doctest=True), (12, 0))
        self.assertEqual(cases_of(False, summary(10, 2), is_doctest=True), (10, 2))

    def test_a_doctest_binary_that_ran_nothing_failed(self):
        self.assertEqual(cases_of(True, summary(0, 0), is_doctest=True), (0, 1))

    def test_a_doctest_binary_that_died_before_its_summary_failed(self):
        self.assertEqual(cases_of(False, "tenure: internal error", is_doctest=True), (0, 1))
        self.assertEqual(cases_of(True, "", is_doctest=True), (0, 1))

    def test_a_leak_found_at_exit_is_a_failure_beside_the_cases_that_passed(self):
        self.assertEqual(cases_of(False, summary(3, 0), is_doctest=True), (3, 1))

    def test_a_script_counts_its_last_line_or_as_one(self):
        self.assertEqual(cases_of(True, "1 passed, 0 failed\n5 passed, 0 failed\n", is_doctest=False), (5, 0))
        self.assertEqual(cases_of(True, "done\n", is_doctest=False), (1, 0))
        self.assertEqual(cases_of(False, "", is_doctest=False), (0, 1))
