#!/bin/sh
# Installs with apt what Rangeloom needs and this machine lacks; says nothing when nothing is missing.
#   scripts/setup.sh        what building, testing and the benchmarks need
#   scripts/setup.sh dev    also clang, clang-format and clang-tidy, for `make format`, `make tidy` and the clang preset
set -eu

packages="g++ make cmake ninja-build ccache lld-19 llvm-19-dev zlib1g-dev libzstd-dev
  libpng-dev libjpeg-dev libsqlite3-dev libcli11-dev nlohmann-json3-dev
  libgtest-dev libbenchmark-dev libopenblas-dev libdnnl-dev valgrind"
[ "${1-}" = dev ] && packages="$packages clang-19 clang-format-19 clang-tidy-19"

if ! command -v dpkg-query >/dev/null; then
  echo "setup: this is no Debian; please provide: $packages" >&2
  exit 0
fi

installed=$(dpkg-query -W -f '${Package} ${db:Status-Status}\n' $packages 2>/dev/null || true)
missing=""
for package in $packages; do
  case "
$installed
" in
    *"
$package installed
"*) ;;
    *) missing="$missing $package" ;;
  esac
done
[ -z "$missing" ] && exit 0

as_root=""
if [ "$(id -u)" != 0 ]; then
  as_root="sudo"
fi
echo "setup: installing$missing"
export DEBIAN_FRONTEND=noninteractive
$as_root apt-get update -q >/dev/null
$as_root apt-get install -y -q --no-install-recommends -o Dpkg::Use-Pty=0 $missing >/dev/null
