#!/usr/bin/python3
"""junit_outline.py FILE: checks a JUnit file against junit.xsd beside this, and its counts, and prints an outline.

Exit 0 when it is valid. The schema cannot count; this does."""

import collections
import pathlib
import sys

from lxml import etree

SCHEMA = etree.XMLSchema(etree.parse(str(pathlib.Path(__file__).with_name("junit.xsd"))))
REASONS = {"failure": "failures", "error": "errors", "skipped": "skipped"}


def counts_of(suite):
    counts = collections.Counter(REASONS[inside.tag] for case in suite.iter("testcase") for inside in case
                                 if inside.tag in REASONS)
    counts["tests"] = len(suite.findall(".//testcase"))
    return counts


def miscounted(element):
    counts = counts_of(element)
    return [f"{element.tag} {element.get('name')!r}: {what} is {element.get(what)}, there are {counts[what]}"
            for what in ("tests", "failures", "errors", "skipped")
            if element.get(what) is not None and int(element.get(what)) != counts[what]]


def outline(root):
    for suite in root.iter("testsuite"):
        yield suite.get("name")
        for case in suite.iter("testcase"):
            inside = case[0] if len(case) else None
            said = f" {inside.tag}: {inside.get('message') or inside.text}" if inside is not None else ""
            place = f"{case.get('file', '-')}:{case.get('line', '-')}"
            yield f"  {case.get('name')} [{place}]{said}"


def main():
    tree = etree.parse(sys.argv[1])
    problems = [] if SCHEMA.validate(tree) else [str(SCHEMA.error_log)]
    for element in [tree.getroot(), *tree.iter("testsuite")]:
        problems += miscounted(element)
    print("\n".join(problems or outline(tree.getroot())))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
