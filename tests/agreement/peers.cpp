// LIBLINEAR and LIBSVM take the label of the first example as the positive side, so their signs are turned where it is
// -1. LIBLINEAR draws its order from rand(), which is seeded for every fit.
#include "agreement/peers.hpp"

#include <libsvm/svm.h>
#include <linear.h>

#include <algorithm>
#include <cstdlib>

namespace medlar::test {

namespace {

using Rows = std::vector<std::vector<double>>;

// Rows as (index, value) pairs from 1 on, ended by index -1.
template <class Node>
struct NodeRows {
  explicit NodeRows(const Rows& x) {
    for (const auto& row : x) {
      std::vector<Node> nodes;
      for (std::size_t i = 0; i < row.size(); ++i) nodes.push_back({static_cast<int>(i) + 1, row[i]});
      nodes.push_back({-1, 0.0});
      rows.push_back(std::move(nodes));
    }
    for (auto& nodes : rows) pointers.push_back(nodes.data());
  }
  std::vector<std::vector<Node>> rows;
  std::vector<Node*> pointers;
};

void silent(const char*) {}

PeerFit by_liblinear(const Rows& x, std::vector<double> y, double C, PeerClasses classes, int solver) {
  set_print_string_function(silent);
  NodeRows<feature_node> nodes(x);
  const auto n = static_cast<int>(x.front().size());
  const ::problem problem{static_cast<int>(x.size()), n, y.data(), nodes.pointers.data(), -1};
  int labels[] = {-1, 1};
  double weights[] = {classes.negative, classes.positive};
  ::parameter parameter{};
  parameter.solver_type = solver;
  parameter.eps = 1e-9;
  parameter.C = C;
  parameter.nr_weight = 2;
  parameter.weight_label = labels;
  parameter.weight = weights;
  std::srand(1);  // it draws its order from rand()
  ::model* model = train(&problem, &parameter);
  PeerFit fitted;
  const double sign = model->label[0] > 0 ? 1 : -1;  // its first label is the positive side
  for (int i = 0; i < n; ++i) fitted.w.push_back(sign * model->w[i]);
  free_and_destroy_model(&model);
  return fitted;
}

PeerFit by_libsvm(const Rows& x, std::vector<double> y, svm_parameter parameter) {
  svm_set_print_string_function(silent);
  NodeRows<svm_node> nodes(x);
  const svm_problem problem{static_cast<int>(x.size()), y.data(), nodes.pointers.data()};
  parameter.kernel_type = LINEAR;
  parameter.cache_size = 10;
  parameter.eps = 1e-11;
  parameter.shrinking = 0;
  svm_model* model = svm_train(&problem, &parameter);
  PeerFit fitted;
  const bool flipped = parameter.svm_type == C_SVC && model->label[0] < 0;
  const double sign = flipped ? -1 : 1;
  fitted.w.assign(x.front().size(), 0.0);
  fitted.beta.assign(x.size(), 0.0);
  for (int j = 0; j < model->l; ++j) {
    const auto t = static_cast<std::size_t>(model->sv_indices[j]) - 1;
    fitted.beta[t] = sign * model->sv_coef[0][j];
    for (std::size_t i = 0; i < x[t].size(); ++i) fitted.w[i] += fitted.beta[t] * x[t][i];
  }
  fitted.b = -sign * model->rho[0];
  svm_free_and_destroy_model(&model);
  return fitted;
}

}  // namespace

PeerFit liblinear_hinge(const Rows& x, const std::vector<double>& y, double C, PeerClasses classes) {
  return by_liblinear(x, y, C, classes, L2R_L1LOSS_SVC_DUAL);
}

PeerFit liblinear_squared_hinge(const Rows& x, const std::vector<double>& y, double C, PeerClasses classes) {
  return by_liblinear(x, y, C, classes, L2R_L2LOSS_SVC);
}

PeerFit libsvm_classification(const Rows& x, const std::vector<double>& y, double C, PeerClasses classes) {
  int labels[] = {-1, 1};
  double weights[] = {classes.negative, classes.positive};
  svm_parameter parameter{};
  parameter.svm_type = C_SVC;
  parameter.C = C;
  parameter.nr_weight = 2;
  parameter.weight_label = labels;
  parameter.weight = weights;
  return by_libsvm(x, y, parameter);
}

PeerFit libsvm_regression(const Rows& x, const std::vector<double>& y, double C, double epsilon) {
  svm_parameter parameter{};
  parameter.svm_type = EPSILON_SVR;
  parameter.C = C;
  parameter.p = epsilon;
  return by_libsvm(x, y, parameter);
}

PeerKernelFit libsvm_kernel(const Rows& x, const std::vector<double>& y, double C, double epsilon,
                            const PeerKernel& kernel, const Rows& at) {
  svm_set_print_string_function(silent);
  NodeRows<svm_node> nodes(x), others(at);
  std::vector<double> targets = y;
  const svm_problem problem{static_cast<int>(x.size()), targets.data(), nodes.pointers.data()};
  svm_parameter parameter{};
  parameter.svm_type = epsilon < 0 ? C_SVC : EPSILON_SVR;
  parameter.p = std::max(epsilon, 0.0);
  parameter.kernel_type = kernel.name == "linear" ? LINEAR : kernel.name == "poly" ? POLY : RBF;
  parameter.gamma = kernel.gamma;
  parameter.coef0 = kernel.coef0;
  parameter.degree = kernel.degree;
  parameter.C = C;
  parameter.cache_size = 10;
  parameter.eps = 1e-9;
  svm_model* model = svm_train(&problem, &parameter);
  const double sign = parameter.svm_type == C_SVC && model->label[0] < 0 ? -1 : 1;
  PeerKernelFit fitted;
  fitted.beta.assign(x.size(), 0.0);
  for (int j = 0; j < model->l; ++j) {
    fitted.beta[static_cast<std::size_t>(model->sv_indices[j]) - 1] = sign * model->sv_coef[0][j];
  }
  for (const svm_node* row : others.pointers) {
    double value = 0;
    svm_predict_values(model, row, &value);
    fitted.decisions.push_back(sign * value);
  }
  svm_free_and_destroy_model(&model);
  return fitted;
}

}  // namespace medlar::test
