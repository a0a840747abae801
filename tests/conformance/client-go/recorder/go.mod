// Only marks the root of the module. What is built is chosen with -modfile=versions/<version>.mod.
module tenure/conformance/recorder

go 1.25
