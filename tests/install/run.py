#!/usr/bin/env python3
"""cmake --install puts the program, its manual and its completions where a system looks for them.

TENURE_PROGRAM is the program, TENURE_BUILD the build folder that is installed, into an empty folder.
"""

import os
import pathlib
import subprocess
import sys
import tempfile

PROGRAM = os.environ.get("TENURE_PROGRAM")
BUILD = os.environ.get("TENURE_BUILD")

# Where a file goes, and the command of tenure that prints it.
PRINTED = {
    "share/man/man1/tenure.1": ("man",),
    "share/bash-completion/completions/tenure": ("completion", "bash"),
    "share/zsh/site-functions/_tenure": ("completion", "zsh"),
    "share/fish/vendor_completions.d/tenure.fish": ("completion", "fish"),
}


def output(*command):
    return subprocess.run(command, capture_output=True, check=True).stdout


def main():
    if not PROGRAM or not BUILD:
        sys.exit("TENURE_PROGRAM or TENURE_BUILD is not set")
    passed = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        output("cmake", "--install", BUILD, "--prefix", folder)
        root = pathlib.Path(folder)
        found = {str(path.relative_to(root)) for path in root.rglob("*") if path.is_file()}
        checks = {"the files, and no others": found == {"bin/tenure", *PRINTED}}
        installed = str(root / "bin" / "tenure")
        checks["the installed program runs"] = output(installed, "--version") == output(PROGRAM, "--version")
        for path, command in PRINTED.items():
            text = (root / path).read_bytes() if path in found else b""
            checks[f"{path} is what tenure {' '.join(command)} prints"] = text != b"" and text == output(installed, *command)
        for what, right in checks.items():
            passed, failed = passed + right, failed + (not right)
            if not right:
                print(f"FAILED: {what}: {sorted(found)}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
