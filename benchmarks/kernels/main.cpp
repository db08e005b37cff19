// Kernel fits beside LIBSVM's: the same rbf kernel, the same C, hinge margins, the same cache, stopped at the same
// relative duality gap. LIBSVM stops on a violation instead; its -e is lowered until its own gap, computed here in
// double from its multipliers, meets the goal, and only the last run is timed. Beside them the exponential margin, and
// with --memory what each fit adds to the memory of the process, in a child of its own.
//
//   bench-kernels DATA [set ...] [--gap 1e-3] [--threads 1] [--repeats 3] [--cpu] [--memory] [--ours]
#include <fmt/format.h>
#include <libsvm/svm.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>

#include "medlar/fit.hpp"
#include "medlar/kernels/gram.hpp"
#include "sets.hpp"

namespace medlar::bench {
namespace {

constexpr double kCache = 100;  // MB, LIBSVM's own default

bool by_cpu = false;

double now() {
  if (by_cpu) {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<double>(usage.ru_utime.tv_sec) + 1e-6 * static_cast<double>(usage.ru_utime.tv_usec);
  }
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

struct Timed {
  double seconds = 0, gap = 0;
  Index support = 0;
  std::string note;
};

Timed by_medlar(const KernelSet& set, double gap, Index threads, const std::string& margin) {
  Settings settings;
  settings.task = Task::classify;
  settings.model = ModelKind::kernel;
  set_option(settings, "margin", margin);
  settings.scale = ScaleKind::none;
  settings.gamma = set.gamma;
  settings.c = margin == "exponential" ? set.C + 1 : set.C;  // at c = 1 this margin asks for nothing
  settings.tolerance = gap;
  settings.threads = threads;
  settings.cache_mb = kCache;
  const double start = now();
  const Model model = fit(set.data, settings);
  return {now() - start, model.report.relative_gap, static_cast<Index>(model.support.size()),
          fmt::format("{}, {} passes", model.report.solver, model.report.passes)};
}

struct Nodes {
  std::vector<std::vector<svm_node>> rows;
  std::vector<svm_node*> pointers;
};

Nodes nodes_of(const Matrix& x) {
  Nodes nodes;
  for (Index t = 0; t < x.rows(); ++t) {
    std::vector<svm_node> row;
    for_each(x.row(t), [&](Index i, double value) {
      if (value != 0) row.push_back({static_cast<int>(i) + 1, value});
    });
    row.push_back({-1, 0});
    nodes.rows.push_back(std::move(row));
  }
  for (auto& row : nodes.rows) nodes.pointers.push_back(row.data());
  return nodes;
}

void silent(const char*) {}

Timed by_libsvm(const KernelSet& set, Nodes& nodes, double eps, bool want_gap) {
  svm_set_print_string_function(silent);
  std::vector<double> y = set.data.target.values;
  const svm_problem problem{static_cast<int>(y.size()), y.data(), nodes.pointers.data()};
  svm_parameter parameter{};
  parameter.svm_type = C_SVC;
  parameter.kernel_type = RBF;
  parameter.gamma = set.gamma;
  parameter.C = set.C;
  parameter.cache_size = kCache;
  parameter.eps = eps;
  parameter.shrinking = 1;
  const double start = now();
  svm_model* model = svm_train(&problem, &parameter);
  Timed timed{now() - start, 0, model->l, ""};
  if (want_gap) {
    const double sign = model->label[0] > 0 ? 1 : -1;
    std::vector<Index> support;
    std::vector<double> beta;
    double dual = 0;
    for (int j = 0; j < model->l; ++j) {
      support.push_back(model->sv_indices[j] - 1);
      beta.push_back(sign * model->sv_coef[0][j]);
      dual += std::abs(beta.back());
    }
    std::vector<double> f(y.size(), 0.0);
    const Gram gram({Kernel::Kind::rbf, set.gamma, 0, 3}, set.data.x, 0);
    gram.add_scores(support, beta, f);
    double form = 0, primal = HUGE_VAL;
    for (std::size_t j = 0; j < support.size(); ++j) form += 0.5 * beta[j] * f[static_cast<std::size_t>(support[j])];
    dual -= form;
    const double b = -sign * model->rho[0];
    for (double shift = -10 * eps; shift <= 10.01 * eps; shift += eps) {  // the best bias near its own
      double loss = 0;
      for (std::size_t t = 0; t < y.size(); ++t) loss += std::max(0.0, 1 - y[t] * (f[t] + b + shift));
      primal = std::min(primal, form + set.C * loss);
    }
    timed.gap = (primal - dual) / primal;
  }
  svm_free_and_destroy_model(&model);
  return timed;
}

double least(const std::vector<double>& values) {
  return *std::min_element(values.begin(), values.end());
}

// Megabytes that work() adds to the process, at its peak.
template <class Work>
double added_megabytes(const Work& work) {
  const auto peak = [](const auto& inside) {
    const pid_t child = fork();
    if (child == 0) {
      inside();
      _exit(0);
    }
    int status = 0;
    rusage usage{};
    wait4(child, &status, 0, &usage);
    return 1.024e-3 * static_cast<double>(usage.ru_maxrss);
  };
  return peak(work) - peak([] {});
}

// `eps` begins where the last gap ended.
void compare(const KernelSet& set, double gap, Index threads, int repeats, bool memory, double& eps) {
  Nodes nodes = nodes_of(set.data.x);
  Timed peer = by_libsvm(set, nodes, eps, true);
  while (peer.gap > gap && eps > 1e-6)
    peer = by_libsvm(set, nodes, eps *= std::min(0.5, std::max(0.03, 0.7 * gap / peer.gap)), true);
  std::vector<double> ours, curved, theirs;
  Timed mine, other;
  for (int repeat = 0; repeat < repeats; ++repeat) {
    mine = by_medlar(set, gap, threads, "hinge");
    ours.push_back(mine.seconds);
    other = by_medlar(set, gap, threads, "exponential");
    curved.push_back(other.seconds);
    theirs.push_back(repeat == 0 && repeats == 1 ? peer.seconds : by_libsvm(set, nodes, eps, false).seconds);
  }
  fmt::print(
      "{:10} {:6} x {:4}  gap {:.0e}  threads {}  medlar {:7.2f} s  libsvm {:7.2f} s  ratio {:5.2f}   exponential "
      "{:7.2f} "
      "s  to hinge {:5.2f}   gaps {:.1e} {:.1e}  support {} {} {}  -e {:.1e}  {}; {}",
      set.name, set.data.examples(), set.data.features(), gap, threads, least(ours), least(theirs),
      least(ours) / least(theirs), least(curved), least(curved) / least(ours), mine.gap, peer.gap, mine.support,
      peer.support, other.support, eps, mine.note, other.note);
  if (memory) {
    fmt::print("  memory {:.0f} MB, exponential {:.0f} MB, libsvm {:.0f} MB",
               added_megabytes([&] { by_medlar(set, gap, threads, "hinge"); }),
               added_megabytes([&] { by_medlar(set, gap, threads, "exponential"); }),
               added_megabytes([&] { by_libsvm(set, nodes, eps, false); }));
  }
  fmt::print("\n");
  std::fflush(stdout);
}

}  // namespace
}  // namespace medlar::bench

int main(int argc, char** argv) {
  using namespace medlar::bench;
  std::string folder, margin = "hinge";
  std::vector<std::string> names;
  std::vector<double> gaps;
  std::vector<medlar::Index> threads;
  int repeats = 3;
  bool ours_only = false, memory = false;
  for (int a = 1; a < argc; ++a) {
    const std::string word = argv[a];
    const auto value = [&] { return std::string(a + 1 < argc ? argv[++a] : "0"); };
    if (word == "--gap")
      gaps.push_back(std::stod(value()));
    else if (word == "--threads")
      threads.push_back(std::stol(value()));
    else if (word == "--repeats")
      repeats = std::stoi(value());
    else if (word == "--margin")
      margin = value();
    else if (word == "--cpu")
      by_cpu = true;
    else if (word == "--memory")
      memory = true;
    else if (word == "--ours")
      ours_only = true;
    else if (folder.empty())
      folder = word;
    else
      names.push_back(word);
  }
  if (folder.empty()) {
    fmt::print(
        "usage: bench-kernels DATA [set ...] [--gap 1e-3] [--threads 1] [--repeats 3] [--cpu] [--memory] [--ours "
        "[--margin hinge]]\n");
    return 1;
  }
  if (names.empty()) names = kernel_set_names();
  if (gaps.empty()) gaps = {1e-3, 1e-6};
  if (threads.empty()) threads = {1, 2};
  try {
    for (const std::string& name : names) {
      const KernelSet set = load_kernel_set(folder, name);
      double eps = 0.1;
      for (const double gap : gaps) {
        for (const medlar::Index count : threads) {
          if (ours_only) {
            const Timed mine = by_medlar(set, gap, count, margin);
            fmt::print("{} gap {:.0e} threads {}: {:.2f} s, gap {:.1e}, support {}, {}", name, gap, count, mine.seconds,
                       mine.gap, mine.support, mine.note);
            if (memory) fmt::print(", {:.0f} MB", added_megabytes([&] { by_medlar(set, gap, count, margin); }));
            fmt::print("\n");
            std::fflush(stdout);
          } else {
            compare(set, gap, count, repeats, memory, eps);
          }
        }
      }
    }
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
}
