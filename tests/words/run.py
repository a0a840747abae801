#!/usr/bin/env python3
"""Completions and the manual say what --help says: they are made from the same table.

The bash completion is sourced and asked, as bash would ask it. zsh and fish check the syntax of theirs, and fish is
asked too, where they are installed; groff formats the manual without a warning, and mandoc reads it where it is there.

TENURE_PROGRAM is the program.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile

PROGRAM = os.environ.get("TENURE_PROGRAM")
ASK = """
source "$1"; shift
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))
_tenure
printf '%s\\n' "${COMPREPLY[@]}"
"""


def output(*command, text=None):
    done = subprocess.run(command, input=text, capture_output=True, text=True, encoding="utf-8", check=False)
    return done.stdout, done.stderr, done.returncode


def tenure(*arguments):
    out, err, code = output(PROGRAM, *arguments)
    if code != 0:
        raise RuntimeError(f"tenure {' '.join(arguments)} ended with {code}: {err}")
    return out


def verbs():
    listed = tenure("--help").split("Subcommands:")[1]
    return re.findall(r"^  (\S+)", listed, re.MULTILINE)


def flags_of(verb):
    """The long flags that its help lists."""
    text = tenure(verb, "--help") if verb else tenure("--help")
    return sorted(set(re.findall(r"^  (?:-\w,)?(--[\w-]+)", text, re.MULTILINE)))


class Cases:
    def __init__(self):
        self.passed = self.failed = 0

    def expect(self, what, right, detail=""):
        if right:
            self.passed += 1
        else:
            self.failed += 1
            print(f"FAILED: {what}: {detail}")

    def has(self, what, found, wanted):
        missing = [word for word in wanted if word not in found]
        self.expect(what, wanted and not missing, f"{missing} missing in {found}")


def check_bash(cases, folder):
    script = os.path.join(folder, "tenure.bash")
    with open(script, "w", encoding="utf-8") as file:
        file.write(tenure("completion", "bash"))

    def asked(*words):
        out, err, _ = output("bash", "-c", ASK, "bash", script, "tenure", *words)
        cases.expect(f"bash, {words}: no complaint", not err, err)
        return out.split()

    cases.has("bash completes commands", asked(""), verbs())
    cases.expect("bash narrows commands", asked("compl") == ["completion"], asked("compl"))
    for verb in verbs():
        cases.has(f"bash completes the flags of {verb}", asked(verb, "--"), flags_of(verb))
    presets = [line.split()[0] for line in tenure("list", "presets").splitlines()]
    faults = [line.split()[0] for line in tenure("list", "faults").splitlines() if "not part" not in line]
    cases.has("bash completes presets", asked("init", "--preset", ""), presets)
    cases.has("bash completes presets behind =", asked("run", "--preset", "=", "kube-s"), ["kube-scheduler"])
    cases.has("bash completes faults", asked("init", "--preset", "kube-vip", "--fault", ""), faults)
    cases.has("bash completes words of flags", asked("run", "--color", ""), ["auto", "always", "never"])
    cases.has("bash completes kinds", asked("list", ""), ["fields", "errors", "formulas"])
    cases.has("bash completes names", asked("explain", "beliefS"), ["beliefSafety"])
    cases.has("bash completes fields", asked("explain", "spec.faults.a"), ["spec.faults.at"])
    cases.has("bash completes files", asked("run", "scenarios/start/leader-c"), ["scenarios/start/leader-crash.yaml"])


def check_zsh(cases, folder):
    script = os.path.join(folder, "_tenure")
    text = tenure("completion", "zsh")
    with open(script, "w", encoding="utf-8") as file:
        file.write(text)
    for verb in verbs():
        part = text.split(f"\n    {verb})\n")[1].split(";;\n")[0]
        cases.has(f"zsh completes the flags of {verb}", part, flags_of(verb))
    if shutil.which("zsh"):
        _, err, code = output("zsh", "-n", script)
        cases.expect("zsh reads its completion", code == 0 and not err, err)
    else:
        print("zsh is not installed: it did not read its completion")


def check_fish(cases, folder):
    script = os.path.join(folder, "tenure.fish")
    text = tenure("completion", "fish")
    with open(script, "w", encoding="utf-8") as file:
        file.write(text)
    for verb in verbs():
        lines = "\n".join(line for line in text.splitlines() if f"__fish_seen_subcommand_from {verb}'" in line)
        cases.has(f"fish completes the flags of {verb}", lines, [f"-l {flag[2:]}" for flag in flags_of(verb)])
    if not shutil.which("fish"):
        print("fish is not installed: it did not read its completion")
        return
    environment = dict(os.environ, HOME=folder, XDG_CONFIG_HOME=folder, XDG_DATA_HOME=folder)
    asking = f"source {script}; complete -C 'tenure '; complete -C 'tenure run --preset kube-s'"
    done = subprocess.run(["fish", "-c", asking], capture_output=True, text=True, env=environment, check=False)
    cases.expect("fish reads its completion", done.returncode == 0 and not done.stderr, done.stderr)
    cases.has("fish completes commands and presets", done.stdout, [*verbs(), "kube-scheduler"])


def check_manual(cases, folder):
    text = tenure("man")
    plain, err, code = output("groff", "-mandoc", "-ww", "-Tascii", "-P-c", text=text)
    cases.expect("groff has no warning", code == 0 and not err, err)
    plain = re.sub(r".\x08", "", plain)
    for verb in verbs():
        cases.has(f"the manual has {verb} and its flags", plain, [f"tenure {verb}", *flags_of(verb)])
    cases.has("the manual has the exit codes", plain, ["EXIT STATUS", "130", "143", "70"])
    cases.expect("the manual is the same each time", text == tenure("man"))
    # The date is left out, so that the same sources give the same page; mandoc finds that worth a warning.
    if shutil.which("mandoc"):
        out, _, _ = output("mandoc", "-Tlint", "-Wwarning", text=text)
        serious = [line for line in out.splitlines() if "missing date" not in line]
        cases.expect("mandoc has no warning", not serious, serious)
    else:
        print("mandoc is not installed: it did not read the manual")


def main():
    if not PROGRAM:
        sys.exit("TENURE_PROGRAM names no program")
    cases = Cases()
    with tempfile.TemporaryDirectory() as folder:
        for check in (check_bash, check_zsh, check_fish, check_manual):
            check(cases, folder)
    print(f"{cases.passed} passed, {cases.failed} failed")
    return 1 if cases.failed or not cases.passed else 0


if __name__ == "__main__":
    sys.exit(main())
