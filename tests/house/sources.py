"""The files of the repository, as the house checks read them."""

import functools
import pathlib
import re
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
COMMENT = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', re.DOTALL)


@functools.cache
def committed():
    """Every file that is, or with the next commit would be, in the repository."""
    command = ["git", "-C", str(ROOT), "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listing = subprocess.run(command, capture_output=True, check=False)
    if listing.returncode == 0:
        names = [name for name in listing.stdout.decode().split("\0") if name]
        return sorted(ROOT / name for name in names if (ROOT / name).is_file())
    # An unpacked archive has no git; then everything but the build belongs to it.
    files = (path for path in ROOT.rglob("*") if path.is_file())
    return sorted(path for path in files if path.relative_to(ROOT).parts[0] not in ("build", ".git"))


def name_of(path):
    return path.relative_to(ROOT).as_posix()


def layer_of(path):
    """The layer a product source belongs to, or None."""
    parts = path.relative_to(ROOT).parts
    if parts[:2] == ("include", "tenure") and len(parts) > 3:
        return parts[2]
    if parts[0] == "sim" and len(parts) > 2:
        return parts[1]
    if parts[:2] == ("reports", "writers"):
        return "report"
    return None


def product():
    """(layer, path) of every C++ file of the product."""
    for path in committed():
        if path.suffix in (".hpp", ".cpp") and layer_of(path):
            yield layer_of(path), path


def blank(match):
    text = match.group()
    return text if text.startswith('"') else re.sub(r"[^\n]", " ", text)


def code_lines(path):
    """(number, line) without comments; a comment may mention what the code must not do."""
    text = COMMENT.sub(blank, path.read_text(encoding="utf-8"))
    return list(enumerate(text.split("\n"), start=1))


def matches(path, pattern):
    """Places in the code of a file where the pattern occurs, as `file:line: text`."""
    found = []
    for number, line in code_lines(path):
        if pattern.search(line):
            found.append(f"{name_of(path)}:{number}: {line.strip()}")
    return found
