# shellcheck shell=bash
# What has to be installed, in one place, and how. Sourced by the scripts beside it.
# shellcheck disable=SC2034  # the lists are read by those scripts

build_packages=(
  g++ cmake ninja-build
  libboost-graph-dev libboost-math-dev libfmt-dev nlohmann-json3-dev libcli11-dev libyaml-dev
  libmd-dev libprotozero-dev librandom123-dev
)
# prometheus is there for promtool.
test_packages=(
  ccache clang-14 clang-format-14 clang-tidy-14 libclang-rt-14-dev llvm-14
  doctest-dev git groff-base locales prometheus protobuf-compiler python3 python3-jsonschema python3-lxml
  python3-prometheus-client python3-yaml shellcheck zlib1g-dev
)
cluster_packages=(munge python3 slurm-client slurmctld slurmd)
# npm, which brings the accessibility checker, is taken where it is: Debian's does not go with a nodejs from elsewhere.
browser_packages=(chromium python3 python3-websocket)
# What the tests compare with where it is there; without it they say so and pass.
peer_packages=(etcd-server)
bench_packages=(git libbenchmark-dev python3 python3-simpy3 libns3-dev libsimgrid-dev spin)

# Prints those of the named packages that are not installed, one a line. Asks only the local
# database, so it is quick and works offline.
missing_packages() {
  local installed
  installed=$(dpkg-query -W -f='${db:Status-Status} ${Package}\n' "$@" 2>/dev/null | sed -n 's/^installed //p') || true
  comm -23 <(printf '%s\n' "$@" | LC_ALL=C sort -u) <(LC_ALL=C sort -u <<<"$installed")
}

# The servers that come with some packages (prometheus, etcd, slurm) are not started by installing them: their
# maintainer scripts ask policy-rc.d. A policy that is there already stays.
apt_install() {
  local policy=/usr/sbin/policy-rc.d status=0 ours=no
  if [[ ! -e $policy ]]; then
    printf '#!/bin/sh\nexit 101\n' >"$policy" && chmod 755 "$policy" && ours=yes
  fi
  DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "$@" || status=$?
  if [[ $ours == yes ]]; then rm -f "$policy"; fi
  return "$status"
}

# Installs what is missing of the named packages; never calls apt when nothing is. Where it cannot
# install it prints the line that would, and fails. Everything goes to stderr: stdout is the program's.
require_packages() {
  if ! command -v dpkg-query >/dev/null; then
    # Another distribution: the compiler and CMake will say what they miss.
    return 0
  fi
  local missing
  mapfile -t missing < <(missing_packages "$@")
  if ((${#missing[@]} == 0)); then
    return 0
  fi
  if ((EUID != 0)); then
    echo "Packages are missing. Install them with:" >&2
    echo "  sudo apt-get install --no-install-recommends ${missing[*]}" >&2
    return 1
  fi
  echo "Installing ${missing[*]}" >&2
  # A fresh machine has no package lists, and an old one lists versions that are gone.
  if ! apt_install "${missing[@]}" >/dev/null 2>&1 &&
    ! { apt-get update -q && apt_install "${missing[@]}"; } >&2; then
    echo "The packages could not be installed. When the network is back:" >&2
    echo "  apt-get update && apt-get install --no-install-recommends ${missing[*]}" >&2
    return 1
  fi
}
