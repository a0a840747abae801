#!/usr/bin/env python3
"""Opens reports in a real browser: on a wide and on a narrow screen, light, dark, on paper, without scripts.

A report must say nothing on the console, ask for nothing but itself, draw every chart with a size, clip no label of one,
and never be wider than the window. With axe-core (its file in AXE) it must have no serious finding with everything
unfolded. Screenshots are left in build/browser, to be looked at. TENURE_PROGRAM is the program. Ends with 77, after a
plain line, where there is no browser.
"""

import base64
import itertools
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.request

try:
    import websocket  # Debian: python3-websocket
except ImportError:
    websocket = None

OUT = pathlib.Path("build/browser")
WIDTHS = (1280, 390)
PAPER = 700  # A4 between its margins
MODES = ("light", "dark", "print", "no-scripts")
# What they are judged to be is for other tests: what counts is that each wrote its report.
REPORTS = ("run", "overlap", "sweep", "compare", "explore", "index")
SHELL = """
T=$TENURE_PROGRAM
$T run scenarios/start/leader-crash.yaml --runs 500 -q -w html=$OUT/run.html
$T run scenarios/hazards/frozen-leader.yaml --runs 50 -q -w html=$OUT/overlap.html
$T sweep scenarios/sweeps/choose-timings.yaml --runs 400 --verdict none -q -w html=$OUT/sweep.html
$T run scenarios/start/leader-crash.yaml --runs 300 -q -w json=$OUT/a.json
$T run scenarios/start/leader-crash.yaml --runs 300 -q -w json=$OUT/b.json --set spec.candidates.0.elector.retryPeriod=1s
$T compare $OUT/a.json $OUT/b.json -q -w html=$OUT/compare.html
$T explore scenarios/explore/pause-13s.yaml -q -w html=$OUT/explore.html
$T check scenarios/start --runs 20 -q -w html=$OUT/index.html
"""
MEASURE = """(() => {
  const wrong = [];
  if (document.documentElement.scrollWidth > innerWidth)
    wrong.push(`the page is ${document.documentElement.scrollWidth} wide, the window ${innerWidth}`);
  const charts = document.querySelectorAll('svg.chart');
  for (const svg of charts) {
    for (let e = svg; e; e = e.parentElement) if (e.tagName === 'DETAILS') e.open = true;
    const box = svg.getBoundingClientRect(), name = svg.querySelector('title').textContent;
    if (!(box.width > 50 && box.height > 20)) wrong.push(`${name}: ${box.width} x ${box.height}`);
    const view = svg.viewBox.baseVal;
    for (const text of svg.querySelectorAll('text')) {
      const b = text.getBBox();
      if (b.x < -0.5 || b.y < -0.5 || b.x + b.width > view.width + 0.5 || b.y + b.height > view.height + 0.5)
        wrong.push(`${name}: "${text.textContent}" is clipped`);
    }
  }
  return JSON.stringify({wrong, charts: charts.length});
})()"""
AXE = """axe.run(document, {resultTypes: ['violations']}).then(r => JSON.stringify(r.violations
  .filter(v => v.impact === 'serious' || v.impact === 'critical')
  .map(v => v.id + ': ' + v.help + ' ' + v.nodes.slice(0, 2).map(n => n.html.slice(0, 120)).join(' | '))))"""


class Tab:
    """The one page of a browser, spoken to by its DevTools protocol."""

    def __init__(self, address):
        self.socket = websocket.create_connection(address, timeout=60, suppress_origin=True)
        self.number = itertools.count(1)
        self.events = []

    def call(self, method, **parameters):
        number = next(self.number)
        self.socket.send(json.dumps({"id": number, "method": method, "params": parameters}))
        while True:
            answer = json.loads(self.socket.recv())
            if answer.get("id") == number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]
            self.events.append(answer)

    def value(self, expression):
        done = self.call("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
        return done["result"].get("value")

    def open(self, url):
        self.events.clear()
        self.call("Page.navigate", url=url)
        limit = time.monotonic() + 60
        while not any(event["method"] == "Page.loadEventFired" for event in self.events):
            if time.monotonic() > limit:
                raise RuntimeError(f"{url} did not load")
            self.events.append(json.loads(self.socket.recv()))


def started(browser, profile):
    process = subprocess.Popen(
        [browser, "--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-port=0", "--hide-scrollbars",
         "--no-first-run", "--disable-background-networking", f"--user-data-dir={profile}", "about:blank"],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    port = pathlib.Path(profile, "DevToolsActivePort")
    for _ in range(600):
        if port.exists() and len(port.read_text().splitlines()) >= 2:
            break
        time.sleep(0.1)
    number = port.read_text().splitlines()[0]
    with urllib.request.urlopen(f"http://127.0.0.1:{number}/json/list", timeout=30) as answer:
        pages = [page for page in json.load(answer) if page["type"] == "page"]
    return process, Tab(pages[0]["webSocketDebuggerUrl"])


def set_up(tab, width, mode):
    if mode == "print" and width < PAPER:
        width = PAPER
    tab.call("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=False)
    tab.call("Emulation.setEmulatedMedia", media="print" if mode == "print" else "screen",
             features=[{"name": "prefers-color-scheme", "value": "dark" if mode == "dark" else "light"}])
    tab.call("Emulation.setScriptExecutionDisabled", value=mode == "no-scripts")


def said(tab, url):
    """What a page had better not have said or asked for."""
    for event in tab.events:
        method, what = event["method"], event.get("params", {})
        if method in ("Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded"):
            yield f"{method}: {json.dumps(what)[:300]}"
        if method == "Network.requestWillBeSent":
            asked = what["request"]["url"]
            if asked != url and not asked.startswith("data:"):
                yield f"asked for {asked}"


def keep_screenshot(tab, name):
    size = tab.call("Page.getLayoutMetrics")["cssContentSize"]
    clip = {"x": 0, "y": 0, "width": size["width"], "height": min(size["height"], 6000), "scale": 1}
    shot = tab.call("Page.captureScreenshot", clip=clip, captureBeyondViewport=True)
    (OUT / name).write_bytes(base64.b64decode(shot["data"]))


def problems(tab, page, width, mode, axe):
    set_up(tab, width, mode)
    url = page.absolute().as_uri()
    tab.open(url)
    keep_screenshot(tab, f"{page.stem}-{width}-{mode}.png")
    # Scripts of the page are off; the protocol's own run all the same.
    measured = json.loads(tab.value(MEASURE))
    yield from measured["wrong"]
    # Folded or not, it must fit.
    yield from json.loads(tab.value(MEASURE))["wrong"]
    yield from said(tab, url)
    if axe and mode in ("light", "dark"):
        tab.value("document.querySelectorAll('details').forEach(d => d.open = true)")
        tab.call("Runtime.evaluate", expression=axe)
        yield from (f"axe: {finding}" for finding in json.loads(tab.value(AXE)))


def look(tab, axe):
    passed = failed = 0
    for page, width, mode in itertools.product(sorted(OUT.glob("*.html")), WIDTHS, MODES):
        found = sorted(set(problems(tab, page, width, mode, axe)))
        passed, failed = passed + (not found), failed + bool(found)
        for problem in found[:12]:
            print(f"{page.name} {width} {mode}: {problem}")
    return passed, failed


def main():
    browser = shutil.which("chromium")
    if not browser or websocket is None:
        print("skipped: no chromium or no python3-websocket (scripts/setup --browser)")
        return 77
    shutil.rmtree(OUT, ignore_errors=True)
    OUT.mkdir(parents=True)
    subprocess.run(["bash", "-c", SHELL], check=False, stdout=subprocess.DEVNULL,
                   env={**os.environ, "OUT": str(OUT)})
    missing = [name for name in REPORTS if not (OUT / f"{name}.html").exists()]
    if missing:
        sys.exit(f"no report was written: {', '.join(missing)}")
    axe = None
    if os.environ.get("AXE"):
        axe = pathlib.Path(os.environ["AXE"]).read_text(encoding="utf-8")
    else:
        print("axe-core is not there: accessibility was not checked")
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        process, tab = started(browser, profile)
        try:
            for domain in ("Page", "Runtime", "Log", "Network"):
                tab.call(f"{domain}.enable")
            passed, failed = look(tab, axe)
        finally:
            process.terminate()
            process.wait()
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
