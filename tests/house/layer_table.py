"""The layer table: what each layer stands on, and which third-party headers it may include.

This is a second copy on purpose. CMakeLists.txt says what the build does; this file says what was
agreed. A dependency that appears in the build only fails the house tests.
"""

STANDS_ON = {
    "base": [],
    "record": ["base"],
    "kernel": ["base"],
    "net": ["base"],
    "store": ["base"],
    "api": ["store"],
    "elect": ["api"],
    "work": ["base"],
    "fault": ["base"],
    "world": ["kernel", "net", "api", "elect", "work", "fault", "record"],
    "check": ["record"],
    "alert": ["base"],
    "stats": ["base"],
    "scenario": ["world", "check", "alert", "stats"],
    "run": ["world", "check", "alert", "stats", "scenario"],
    "explore": ["world", "check", "run"],  # run: what it finds is replayed before it is claimed
    "audit": ["record", "check"],
    "report": ["record", "stats", "run", "explore", "audit"],
    "cli": ["report", "run", "explore", "audit", "scenario"],
}

# Layers whose code decides what happens and when. Nothing in them may depend on luck.
SCHEDULE = ["base", "kernel", "net", "store", "api", "elect", "work", "fault", "world"]

# Include prefix -> the layers that may use it. JSON stays outside of the simulated world.
THIRD_PARTY = {
    "boost/graph": ["record", "net", "explore"],
    "boost/property_map": ["record", "net", "explore"],
    "boost/math": ["stats"],
    "boost/random": ["scenario"],  # the Sobol sequence of designs
    "boost/": [],
    "nlohmann/": ["scenario", "run", "audit", "report", "cli"],
    "yaml.h": ["scenario"],
    "CLI/": ["cli"],
    "Random123/": ["base"],
    "protozero/": ["report"],
    "doctest/": [],
    "benchmark/": [],
}

# Electors see messages, never the servers that answer them.
ELECT_MAY_INCLUDE = [
    "tenure/api/lease.hpp",
    "tenure/api/lease_candidate.hpp",
    "tenure/api/message.hpp",
    "tenure/store/message.hpp",
]


def closure(layer):
    """The layer and everything it may include."""
    seen = {layer}
    for lower in STANDS_ON[layer]:
        seen |= closure(lower)
    return seen
