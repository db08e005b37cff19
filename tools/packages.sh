# The Debian packages that ./demo and ./test need, and the one function that installs them. Sourced by both.

# To build the library and the command.
build_packages=(
  ca-certificates cmake g++ ninja-build pkg-config
  libarchive-dev libboost-dev libcli11-dev libeigen3-dev libfast-float-dev libfmt-dev libhwy-dev libopenblas-dev
  nlohmann-json3-dev zlib1g-dev
)

# To build the Python package.
python_packages=(pybind11-dev python3 python3-dev python3-numpy python3-scipy python3-sklearn)

# To test it as well: GoogleTest, the peers LIBLINEAR and LIBSVM, the pinned formatter, a browser for the report page, frames
# for the Python package.
test_packages=("${python_packages[@]}" chromium clang-format-14 libgtest-dev liblinear-dev libsvm-dev python3-pandas)

# To measure it against its peers (benchmarks/README.md): Google Benchmark, LIBLINEAR, LIBSVM, glmnet, susieR, scikit-learn,
# pandas.
bench_packages=(libbenchmark-dev liblinear-dev liblinear-tools libsvm-dev python3 python3-pandas python3-sklearn python3-venv
                r-cran-glmnet r-cran-susier)

# The packages among the arguments that are not installed.
missing_packages() {
  local package
  for package in "$@"; do
    [[ $(dpkg-query --show --showformat='${db:Status-Status}' "$package" 2>/dev/null) == installed ]] || echo "$package"
  done
}

# Installs what is missing among the arguments, as root or through sudo, and says so.
install_packages() {
  local missing as_root=()
  mapfile -t missing < <(missing_packages "$@")
  if ((${#missing[@]} == 0)); then return; fi
  echo "Installing Debian packages: ${missing[*]}"
  if ! command -v apt-get >/dev/null; then
    echo "This machine has no apt-get. Install the equivalents of these packages and try again." >&2
    return 1
  fi
  if ((EUID != 0)); then
    if ! command -v sudo >/dev/null; then
      echo "You are not root and there is no sudo. Ask for: apt-get install ${missing[*]}" >&2
      return 1
    fi
    as_root=(sudo)
  fi
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get update -qq
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends "${missing[@]}" >/dev/null
}

# Compilers at work at once: one per core, and 1.5 GB of free memory each where the system tells it.
build_jobs() {
  local cores memory
  cores=$(nproc)
  memory=$(awk '/^MemAvailable:/ {print int($2 / 1572864)}' /proc/meminfo 2>/dev/null || true)
  memory=${memory:-$cores}
  if ((memory < 1)); then memory=1; fi
  echo $((cores < memory ? cores : memory))
}
