// LIBLINEAR through its C interface: only train() is timed.
#include <fmt/format.h>
#include <linear.h>

#include <cstdlib>
#include <stdexcept>

#include "contestant.hpp"

namespace medlar::bench {

// (index from 1, value) pairs; each row ends with the bias feature and index -1.
struct LiblinearRows {
  std::vector<feature_node> nodes;
  std::vector<feature_node*> rows;
  std::vector<std::size_t> bias_nodes;
  std::vector<double> y;
  int features = 0;

  void set_bias(double value) {
    for (const std::size_t place : bias_nodes) nodes[place].value = value;
  }
};

namespace {

// What LIBLINEAR prints, where it tells its iterations.
std::string printed;
void keep(const char* text) {
  printed += text;
}

long iterations_told() {
  long count = 0;
  for (const std::string_view mark : {"#iter = ", "iter "}) {
    for (std::size_t at = printed.find(mark); at != std::string::npos; at = printed.find(mark, at + 1))
      count = std::max(count, std::atol(printed.c_str() + at + mark.size()));
    if (count > 0) break;
  }
  return count;
}

PeerProblem problem_of(int solver, double c, double bias_value, double epsilon) {
  PeerProblem problem;
  problem.c = c;
  problem.bias_scale = bias_value;
  problem.epsilon = epsilon;
  switch (solver) {
    case L2R_L2LOSS_SVC_DUAL:
      problem.loss = PeerLoss::squared_hinge;
      break;
    case L2R_L1LOSS_SVC_DUAL:
      problem.loss = PeerLoss::hinge;
      break;
    case L1R_L2LOSS_SVC:
      problem.loss = PeerLoss::squared_hinge, problem.penalty = PeerPenalty::lasso;
      break;
    case L1R_LR:
      problem.loss = PeerLoss::logistic, problem.penalty = PeerPenalty::lasso;
      break;
    case L2R_L2LOSS_SVR:
      problem.loss = PeerLoss::squared_tube;
      break;
    case L2R_L1LOSS_SVR_DUAL:
      problem.loss = PeerLoss::tube;
      break;
    default:
      throw std::invalid_argument(fmt::format("liblinear -s {} has no certificate here", solver));
  }
  return problem;
}

class LiblinearContestant : public Contestant {
 public:
  LiblinearContestant(std::shared_ptr<LiblinearRows> rows, int solver, const PeerProblem& solved)
      : rows_(std::move(rows)), solver_(solver) {
    problem = solved;
    tolerances = {1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9};
  }

  Outcome run(double tolerance, double limit_seconds) override {
    rows_->set_bias(problem->bias_scale);
    return visit([&] { return fitted(tolerance); }, limit_seconds);
  }

 private:
  Outcome fitted(double tolerance) const {
    const int with_bias = rows_->features + 1;
    const ::problem data{static_cast<int>(rows_->rows.size()), with_bias, rows_->y.data(), rows_->rows.data(),
                         problem->bias_scale};
    ::parameter asked{};
    asked.solver_type = solver_;
    asked.eps = tolerance;
    asked.C = problem->c;
    asked.p = problem->epsilon;
    set_print_string_function(keep);
    printed.clear();
    std::srand(1);  // it draws its order from rand()
    Outcome outcome;
    ::model* model = nullptr;
    outcome.seconds = seconds_of([&] { model = train(&data, &asked); });
    const double sign = !problem->regression() && model->label[0] < 0 ? -1 : 1;  // its first label is the positive side
    for (int i = 0; i < rows_->features; ++i) outcome.w.push_back(sign * model->w[i]);
    outcome.bias = sign * model->w[rows_->features] * problem->bias_scale;
    outcome.passes = iterations_told();
    outcome.exhausted = printed.find("reaching max") != std::string::npos;
    free_and_destroy_model(&model);
    return outcome;
  }

  std::shared_ptr<LiblinearRows> rows_;
  int solver_;
};

}  // namespace

std::shared_ptr<LiblinearRows> liblinear_rows(const ContestSet& set) {
  auto made = std::make_shared<LiblinearRows>();
  const Matrix& x = set.x();
  made->features = static_cast<int>(x.columns());
  made->y = set.y();
  made->nodes.reserve(static_cast<std::size_t>(x.stored() + 2 * x.rows()));
  std::vector<std::size_t> begins;
  for (Index t = 0; t < x.rows(); ++t) {
    begins.push_back(made->nodes.size());
    for_each(x.row(t), [&](Index i, double value) {
      if (value != 0) made->nodes.push_back({static_cast<int>(i) + 1, value});
    });
    made->bias_nodes.push_back(made->nodes.size());
    made->nodes.push_back({made->features + 1, 1.0});
    made->nodes.push_back({-1, 0.0});
  }
  for (const std::size_t begin : begins) made->rows.push_back(made->nodes.data() + begin);
  return made;
}

std::unique_ptr<Contestant> liblinear_contestant(std::shared_ptr<LiblinearRows> rows, int solver, double c,
                                                 double bias_value, double epsilon) {
  auto contestant =
      std::make_unique<LiblinearContestant>(std::move(rows), solver, problem_of(solver, c, bias_value, epsilon));
  contestant->name = fmt::format("liblinear -s {} -B {:.3g}", solver, bias_value);
  return contestant;
}

}  // namespace medlar::bench
