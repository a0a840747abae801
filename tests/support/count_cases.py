#!/usr/bin/env python3
"""Counts test cases in a CTest JUnit report: `python3 count_cases.py REPORT.xml`.

A doctest binary counts the cases of its summary, a script those of its last line `N passed, N failed`,
anything else counts as one. A doctest binary that ran no case, died before its summary, or failed
with all cases passed (a leak found at exit) adds one failed case. Prints `PASSED FAILED`, and a
line on stderr for everything that failed.
"""

import re
import sys
import xml.etree.ElementTree as ElementTree

DOCTEST = re.compile(r"\[doctest\] test cases:\s*\d+\s*\|\s*(\d+) passed\s*\|\s*(\d+) failed")
SCRIPT = re.compile(r"^(\d+) passed, (\d+) failed$", re.MULTILINE)


def cases_of(succeeded, output, is_doctest):
    """(passed, failed) of one CTest entry."""
    summaries = (DOCTEST if is_doctest else SCRIPT).findall(output)
    if not summaries:
        return (1, 0) if succeeded and not is_doctest else (0, 1)
    passed, failed = (int(number) for number in summaries[-1])
    if passed + failed == 0 or (failed == 0 and not succeeded):
        failed += 1
    return passed, failed


def main():
    passed = failed = 0
    for case in ElementTree.parse(sys.argv[1]).getroot().iter("testcase"):
        output = case.findtext("system-out") or ""
        succeeded = case.get("status") == "run"
        good, bad = cases_of(succeeded, output, is_doctest=case.get("name").startswith(("unit_", "doctest_")))
        if bad:
            print(f"  {case.get('name')}: {good} passed, {bad} failed", file=sys.stderr)
        passed, failed = passed + good, failed + bad
    print(passed, failed)


if __name__ == "__main__":
    main()
