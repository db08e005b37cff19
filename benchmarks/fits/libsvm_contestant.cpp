// LIBSVM with a linear kernel through its C interface: only svm_train() is timed.
#include <libsvm/svm.h>

#include "contestant.hpp"

namespace medlar::bench {

namespace {

void silent(const char*) {}

class LibsvmContestant : public Contestant {
 public:
  LibsvmContestant(const ContestSet& set, double c) : set_(set), y_(set.y()) {
    name = "libsvm linear";
    PeerProblem solved;
    solved.loss = PeerLoss::hinge;
    solved.bias = PeerBias::free;
    solved.c = c;
    problem = solved;
    tolerances = {1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6};
    const Matrix& x = set.x();
    for (Index t = 0; t < x.rows(); ++t) {
      std::vector<svm_node> row;
      for_each(x.row(t), [&](Index i, double value) {
        if (value != 0) row.push_back({static_cast<int>(i) + 1, value});
      });
      row.push_back({-1, 0.0});
      nodes_.push_back(std::move(row));
    }
    for (auto& row : nodes_) rows_.push_back(row.data());
  }

  Outcome run(double tolerance, double limit_seconds) override {
    return visit([&] { return fitted(tolerance); }, limit_seconds);
  }

 private:
  Outcome fitted(double tolerance) {
    svm_set_print_string_function(silent);
    const svm_problem data{static_cast<int>(rows_.size()), y_.data(), rows_.data()};
    svm_parameter asked{};
    asked.svm_type = C_SVC;
    asked.kernel_type = LINEAR;
    asked.C = problem->c;
    asked.cache_size = 1000;
    asked.eps = tolerance;
    asked.shrinking = 1;
    Outcome outcome;
    svm_model* model = nullptr;
    outcome.seconds = seconds_of([&] { model = svm_train(&data, &asked); });
    const double sign = model->label[0] < 0 ? -1 : 1;  // its first label is the positive side
    outcome.w.assign(static_cast<std::size_t>(set_.x().columns()), 0.0);
    for (int j = 0; j < model->l; ++j)
      add_scaled(set_.x().row(model->sv_indices[j] - 1), sign * model->sv_coef[0][j], outcome.w);
    outcome.bias = -sign * model->rho[0];
    svm_free_and_destroy_model(&model);
    return outcome;
  }

  const ContestSet& set_;
  std::vector<double> y_;
  std::vector<std::vector<svm_node>> nodes_;
  std::vector<svm_node*> rows_;
};

}  // namespace

std::unique_ptr<Contestant> libsvm_contestant(const ContestSet& set, double c) {
  return std::make_unique<LibsvmContestant>(set, c);
}

}  // namespace medlar::bench
