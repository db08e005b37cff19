// Dual coordinate ascent (docs/theory.md#sweeps): one example at a time, the exact maximum of a quadratic model of J
// along its axis; where few columns matter, on those.
#pragma once

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <random>
#include <type_traits>
#include <utility>
#include <vector>

#include "medlar/problem/run.hpp"
#include "medlar/problem/settle.hpp"
#include "medlar/problem/start.hpp"
#include "medlar/problem/twins.hpp"
#include "medlar/solvers/neighbour.hpp"
#include "medlar/solvers/newton/newton_cost.hpp"
#include "medlar/solvers/newton/newton_over_examples.hpp"
#include "medlar/solvers/solution.hpp"
#include "medlar/solvers/sweeps/example_step.hpp"
#include "medlar/solvers/sweeps/gram_ascent.hpp"
#include "medlar/solvers/sweeps/lagrangian_bias.hpp"
#include "medlar/solvers/sweeps/sweeps.hpp"
#include "medlar/solvers/sweeps/working_columns.hpp"
#include "medlar/thresholds/certificates.hpp"
#include "medlar/thresholds/few_columns.hpp"
#include "medlar/thresholds/giving_up.hpp"
#include "medlar/thresholds/kinked.hpp"
#include "medlar/thresholds/near.hpp"
#include "medlar/thresholds/newton_pays.hpp"
#include "medlar/thresholds/single_precision.hpp"

namespace medlar {

template <class P>
class DualAscent {
 public:
  DualAscent(const P& problem, const Limits& limits, Observer* observer, const Neighbour* from = nullptr)
      : problem_(problem),
        from_(from),
        run_(limits, observer),
        limits_(limits),
        two_sided_(problem.constraints.count() > problem.constraints.examples()),
        beta_(static_cast<std::size_t>(problem.constraints.examples()), 0.0),
        bias_(problem.bias, problem.bias_variance()),
        random_(limits.seed),
        best_(problem, limits.tolerance) {
    if constexpr (!kLinear && SwitchedPartition<Partition>) {
      const std::span<const double> p = problem.partition.prior_inclusion();
      const bool many_rounds = problem.constraints.x->is_sparse() && slows_sweeps(problem.sharpness());
      may_be_few_ = std::ssize(p) >= limits.many_columns &&
                    may_few_columns_matter(*std::max_element(p.begin(), p.end())) && !many_rounds;
      if (!p.empty()) least_p_ = *std::min_element(p.begin(), p.end());
    }
    const Matrix& x = *problem.constraints.x;
    if (kLinear || newton_first()) {
      if (from != nullptr) products_ = from->gram;
      if (products_ == nullptr && ExampleGram::pays(x)) {
        run_.whole([&] { products_ = std::make_shared<const ExampleGram>(x); });
      }
    }
    if constexpr (kLinear) {
      if (products_ != nullptr) gram_.emplace(problem, products_, [this] { return run_.asked(); });
    } else if (products_ != nullptr) {
      curved_ = from && from->curved ? from->curved : std::make_shared<CurvedGram>(x, products_);
    }
    if (products_ == nullptr) prepare_sweeps();
  }

  // Sweeps while they pay, then Newton on the free multipliers. Not converged: another solver must take over.
  Solution solve() {
    begin();
    record("ascent");
    const auto told = [this](Index passes_of_newton, bool whole) {
      newton_passes_ = passes_of_newton;
      ++run_.report.iterations;
      record("newton");
      return passes() < limits_.max_passes && newton_is_worth_it(whole);
    };
    NewtonOverExamples<P> newton(problem_, best_, run_, limits_.tolerance, told, curved_);
    if (curved_ != nullptr && best_.relative_gap() > limits_.tolerance) {
      run_.graced([&] { newton.climb(kMostStepsAtATime); });
      newton_passes_ = newton.passes();
    }
    bool stuck = false;
    while (!stuck && !ended()) run_.graced([&] { stuck = !advance(newton); });
    return finish(newton);
  }

  // A gap that is closed is so by exact sums.
  bool ended() {
    run_.graced([this] { best_.closed(); });
    return run_.reached(best_.bounds(), passes());
  }

  // Sweeps, and Newton where it pays; false when neither leads on.
  bool advance(NewtonOverExamples<P>& newton) {
    if (!gram_ && !sweep_) {
      prepare_sweeps();
      resume();
      bias_.set_step(sweep_->mean_curvature());
    }
    const double gap = gap_, objective = best_.dual().objective;
    const Index epochs = epochs_;
    ascend();
    ++run_.report.iterations;
    certify();
    if (few_) judge_columns(objective, gap);
    record("ascent");
    if (best_.relative_gap() <= limits_.tolerance || passes() >= limits_.max_passes) return true;
    if (lack_sweeps_digits(gap_, gap) && near() && sweep_ && !few_ && sweep_->can_be_refined()) return refine();
    const double left = epochs_left(gap, epochs_ - epochs);
    if (all_next_ || (gram_ && gap_ < 0.1 * gap)) return true;
    if (failures_ < kMostFailuresOfNewton && (gram_ || newton_pays(left, objective, epochs_ - epochs))) {
      const bool done = newton.climb(kMostStepsAtATime);
      if (!done && !std::exchange(left_newton_, false)) ++failures_;
      newton_passes_ = newton.passes();
      resume();
    } else if (epochs_ > kMostEpochs || (failures_ > 0 && left > kMostEpochs)) {
      run_.give_up(best_.bounds());
      return false;
    }
    return true;
  }

  // Sweeps whose epochs end at their goal without closing the gap lack digits.
  bool refine() {
    sweep_->refine();
    resume();
    return true;
  }

  // With switches and few examples Newton needs no sweeps to begin with: A'' is never more than a few times v. Sparse
  // rows, and few columns of dense ones, are swept for less than its matrix costs, unless c or p0 make sweeps slow.
  bool newton_first() const {
    if (!problem_.smooth()) return false;
    const bool cheap_sweeps = may_be_few_ || problem_.constraints.x->is_sparse();
    const bool slow_sweeps = slows_sweeps(problem_.sharpness()) || slows_sweeps_by_p0(least_p_);
    return !cheap_sweeps || slow_sweeps || are_few_examples(problem_.constraints.examples());
  }

  // What single multipliers are swept over.
  void prepare_sweeps() {
    rows_ = from_ && from_->rows ? from_->rows : std::make_shared<const FloatRows>(*problem_.constraints.x);
    if (rows_->sparse()) rest_ = kLeftToSparseRows;
    sweep_.emplace(sweep_over(*rows_, problem_.partition));
    columns_.emplace(*rows_, from_ ? from_->columns : nullptr);
  }

  // From a neighbour's pair where there is one. Else lambda = 0 is the answer when the prior already satisfies every
  // constraint; when it does not, the best of the balanced constant multipliers, on which J is concave.
  void begin() {
    if (from_ != nullptr) {
      // Where another pair is foretold, the neighbour's own is not looked at: the V of its w in this problem would cost
      // a root for each feature.
      if (!from_->foretells()) {
        consider_neighbour(problem_, *from_, best_);
        if (best_.relative_gap() <= limits_.tolerance) return;
      }
      go_on();
      if (!sweep_) return;
      bias_.set_step(sweep_->mean_curvature());
      return;
    }
    certify();
    if (best_.relative_gap() <= limits_.tolerance) return;
    if (gram_) return;
    if (!two_sided_) {
      DualPoint dual = best_constant_multipliers(problem_);
      PrimalPoint primal = primal_point(problem_, dual.v, {bias_.value()});
      take({std::move(dual), std::move(primal)});
    }
    if (!sweep_) return;
    share_.assign(beta_.size(), HUGE_VAL);
    bias_.set_step(sweep_->mean_curvature());
  }

  // From the multipliers that a neighbour foretells, else from its own.
  void go_on() {
    bias_.set(from_->primal.bias[0]);
    if (!from_->foretells()) return resume();
    // Sweeps leave noise in the multipliers, which a line through three of them would make larger.
    const bool on_a_line = from_->straight && curved_ != nullptr;
    if (sweep_ && rows_->sparse()) return sweep_from(foretold_multipliers(problem_, *from_, on_a_line).lambda);
    take(foretold(problem_, *from_, on_a_line, {bias_.value()}, best_.summing()));
  }

  // Sweeps from multipliers whose gap nobody needs to know, over the examples that are idle neither there nor by the
  // neighbour's scores; then the first certificate.
  void sweep_from(std::vector<double> lambda) {
    DualPoint point = feasible_point(problem_, std::move(lambda));
    sweep_->start(statistics(*problem_.constraints.x, point.beta, Summing::plain));
    share_.assign(beta_.size(), 0.0);
    for (std::size_t k = 0; k < problem_.count(); ++k) {
      if (problem_.multiplier(k, problem_.margin(k, from_->primal.f, bias_.value())) > 0) {
        share_[problem_.example(k)] = HUGE_VAL;
      }
    }
    beta_ = std::move(point.beta);
    bias_.set_sum(std::accumulate(beta_.begin(), beta_.end(), 0.0));
    bias_.set_step(sweep_->mean_curvature());
    ascend();
    ++run_.report.iterations;
    certify();
  }

  // Epochs that the gap needs at the pace of the last ones; where it rose, ever more.
  double epochs_left(double gap_before, Index epochs) {
    const double pace = std::log(gap_before / gap_) / static_cast<double>(std::max<Index>(epochs, 1));
    const double goal = limits_.tolerance * gap_scale(best_.primal().value);
    const double left = std::log(std::max(gap_ / goal, 1.0)) / pace;
    if (pace > 0) return left;
    ++setbacks_;
    return 300.0 * static_cast<double>(setbacks_ * setbacks_);
  }

  // Near the optimum: when the epochs still needed cost more than a few steps. Far from it, where switches have yet to
  // turn and neither knows how long it will take: when J, by its logarithm, has of late risen slower in sweeps.
  bool newton_pays(double epochs_left, double objective_before, Index epochs) {
    const double share = may_be_few_ ? columns_->share() : 1.0;
    step_cost_ = newton_step_in_epochs(*problem_.constraints.x, beta_, limits_.largest_factor, share, !kLinear);
    if (!(epochs_left > kStepsOfNewton * step_cost_)) return false;
    objective_at_step_ = best_.dual().objective;
    rise_of_sweeps_ = rise(objective_before, objective_at_step_) / static_cast<double>(std::max<Index>(epochs, 1));
    if (may_be_few_ && !tried_few_ && !rows_->sparse()) return false;  // sweeps on few columns may be much better
    return near() || rise_of_newton_ > rise_of_sweeps_;
  }

  // A whole step is one towards the end, however little J rises.
  bool newton_is_worth_it(bool whole) {
    const double before = std::exchange(objective_at_step_, best_.dual().objective);
    rise_of_newton_ = rise(before, objective_at_step_) / step_cost_;
    left_newton_ = !whole && !near() && rise_of_newton_ < rise_of_sweeps_;
    return !left_newton_;
  }

  bool near() const { return best_.relative_gap() <= kNearInSweeps; }
  static double rise(double before, double after) { return before > 0 ? std::log(after / before) : HUGE_VAL; }

  // Epochs over the active examples until their gap is worth a certificate. A cold start first finds, over all columns,
  // which of them matter.
  void ascend() {
    if constexpr (kLinear) {
      if (gram_) {
        double bias = bias_.value();
        gram_->raise(beta_, f_, bias, goal_over_gram(limits_.tolerance), random_);
        should_close_ = true;
        return bias_.set(bias);
      }
    }
    activate();
    few_ = !std::exchange(all_next_, false) && may_choose_columns() && choose_columns();
    tried_few_ = tried_few_ || epochs_ > 0 || from_ != nullptr;
    const double last = limits_.tolerance * gap_scale(expected_objective());
    const double goal = std::isfinite(gap_) ? std::max(last, gap_for_certificate(few_) * gap_) : last;
    const int most = may_be_few_ && !few_ && !rows_->sparse() ? kEpochsBeforeChoice : kMostEpochsPerCertificate;
    for (int epoch = 0; epoch < most; ++epoch) {
      const double remaining = sweep_once();
      should_close_ = remaining <= last;
      ++epochs_;
      if (remaining <= goal || passes() >= limits_.max_passes || run_.asked()) break;
    }
  }

  // Of sparse rows only near the optimum: farther away so many examples move at once that columns which are linear at
  // the last certificate lead astray.
  bool may_choose_columns() const {
    if (!may_be_few_) return false;
    return rows_->sparse() ? near() : epochs_ > 0 || from_ != nullptr;
  }

  bool choose_columns() {
    if constexpr (kLinear) {
      return false;
    } else {
      return columns_->choose(problem_.partition, v_, f_, rest_);
    }
  }

  // After sweeps on few columns: where J fell, back to the best multipliers; where the gap hardly fell, more columns.
  // When that does not help, all.
  void judge_columns(double objective_before, double gap_before) {
    ++rounds_;
    const bool fell = objective_ < objective_before;
    if (fell) ++falls_, resume();
    if (fell || gap_ > gap_before / 3) rest_ *= 0.5;
    all_next_ = fell;
    if (have_few_columns_failed(falls_, rounds_)) may_be_few_ = false;
  }

  // Of the optimum, before the first certificate by the neighbour.
  double expected_objective() const { return best_.points() > 0 ? best_.dual().objective : from_->dual.objective; }
  double expected_primal() const { return best_.points() > 0 ? best_.primal().value : from_->primal.value; }

  // All examples that the last certificate found to hold some of the gap, or that lie inside their domain.
  void activate() {
    active_.clear();
    dropped_.assign(beta_.size(), 0);
    idle_ = kStill * limits_.tolerance * gap_scale(expected_primal()) / static_cast<double>(beta_.size());
    const double idle = std::isfinite(gap_) ? kIdle * gap_ / static_cast<double>(beta_.size()) : 0.0;
    for (std::size_t t = 0; t < beta_.size(); ++t) {
      if (beta_[t] != 0 || share_[t] > idle) active_.push_back(t);
    }
  }

  // Visits the active examples, runs of neighbours in random order: examples far apart would each wait for their
  // memory. Returns what they held of the gap when each was visited, and what the imbalance of a flat bias costs.
  double sweep_once() {
    const std::size_t visits = active_.size();
    std::vector<std::size_t> runs((visits + kRun - 1) / kRun);
    std::iota(runs.begin(), runs.end(), std::size_t{0});
    std::shuffle(runs.begin(), runs.end(), random_);
    bias_.begin_epoch();
    const Matrix& x = *problem_.constraints.x;
    const auto numbers = static_cast<std::size_t>(x.stored() / std::max<Index>(1, x.rows())) * kRun;
    const Visited visited = by_margin(problem_, [&](const auto& own) {
      const ExampleStep along(own);
      Visited sums;
      std::size_t since_look = 0;
      for (const std::size_t run : runs) {
        for (std::size_t at = run * kRun; at < std::min(visits, (run + 1) * kRun); ++at) {
          visit(along, active_[at], sums);
        }
        if ((since_look += numbers) < kNumbersPerLook) continue;
        since_look = 0;
        if (run_.asked()) break;
      }
      return sums;
    });
    std::erase_if(active_, [this](std::size_t t) { return dropped_[t] != 0; });
    visited_ += static_cast<double>(visits) * (few_ ? columns_->share() : 1.0);
    last_steepest_ = visited.steepest;
    if (visits > 0) bias_.set_step(visited.curvature / static_cast<double>(visits));
    return visited.held + bias_.held(visited.weight);
  }

  // What an epoch has seen.
  struct Visited {
    double held = 0, weight = 0, curvature = 0,
           steepest = 0;  // of the gap; sums of |beta| and curvature; largest slope
  };

  template <class Step>
  void visit(const Step& along, std::size_t t, Visited& visited) {
    const double beta = beta_[t];
    const Local at = look(t);
    const auto step = along.best(t, beta, at.score + bias_.value(), at.curvature + bias_.slope());
    visited.held += step.held;
    visited.weight += std::abs(beta);
    visited.curvature += at.curvature;
    visited.steepest = std::max(visited.steepest, std::abs(step.slope));
    if (beta == 0 && step.to == 0 && step.slack > last_steepest_) dropped_[t] = 1;  // until the next certificate
    if (!(step.held > idle_) || step.to == beta) return;
    double moved = step.to - beta;
    const double after = move(t, moved, at) + bias_.value() + bias_.slope() * moved;
    if constexpr (!kLinear) {
      // Where a switch turns on, its curvature has risen along the step: go back by the secant if that was too far.
      const double slope = along.slope(t, step.to, after);
      if (slope * step.slope < 0 && std::abs(slope) > 0.2 * std::abs(step.slope) && step.to != 0) {
        const double back = moved * slope / (step.slope - slope);
        move(t, back, at);
        moved += back;
      }
    }
    beta_[t] = beta + moved;
    bias_.follow(moved);
  }

  // An example's score and curvature, and the score after a move of its beta. Columns that are not worked on are
  // linear.
  Local look(std::size_t t) {
    if constexpr (!kLinear) {
      if (few_) {
        const Local inside = columns_->sweep().look(t);
        return {inside.score + outside(t, beta_[t]), inside.curvature + columns_->curvature(t)};
      }
    }
    return sweep_->look(t);
  }
  double move(std::size_t t, double step, const Local& at) {
    if constexpr (!kLinear) {
      if (few_) return columns_->sweep().move(t, step, at) + outside(t, beta_[t] + step);
    }
    return sweep_->move(t, step, at);
  }
  double outside(std::size_t t, double beta) const {
    return columns_->score(t) + columns_->curvature(t) * (beta - certified_[t]);
  }

  // Both halves of the certificate at the present multipliers.
  void certify() {
    std::vector<double> lambda = multipliers_of(problem_, beta_);
    if (run_.report.iterations > kTwinless && near()) {
      if (!twins_) twins_.emplace(problem_.constraints);
      twins_->share(problem_.constraints.weight, lambda);
    }
    // Plain sums of sparse rows mostly will do to the end.
    const bool exact = should_close_ && !problem_.constraints.x->is_sparse();
    take(certificate(problem_, std::move(lambda), {bias_.value()}, exact ? Summing::exact : best_.summing()));
  }
  void take(Certificate both) {
    adopt(both.dual, both.primal);
    best_.consider(std::move(both.dual));
    best_.consider(both.primal);
  }

  // Sweeps go on from where Newton has come to.
  void resume() {
    const PrimalPoint primal = primal_point(problem_, best_.dual().v, best_.primal().bias);
    adopt(best_.dual(), primal);
    bias_.set(primal.bias[0]);
    best_.consider(primal);
  }

  // Each example's share of the gap (a Fenchel-Young term, at least 0), and V anew from lambda, in double.
  void adopt(const DualPoint& dual, const PrimalPoint& primal) {
    share_.assign(beta_.size(), 0.0);
    by_margin(problem_, [&](const auto& own) {
      for (std::size_t k = 0; k < own.count(); ++k) {
        const double margin = own.margin(k, primal.f, primal.bias), lambda = dual.lambda[k];
        share_[own.example(k)] += own.loss(k, margin) - own.value(k, lambda) + lambda * margin;
      }
    });
    gap_ = primal.value - dual.objective;
    objective_ = dual.objective;
    if (sweep_) sweep_->start(dual.v);
    beta_ = dual.beta;
    if (gram_) f_ = primal.f;
    if (may_be_few_) {
      v_ = dual.v;
      f_ = primal.f;
      certified_ = beta_;
    }
    bias_.set_sum(std::accumulate(beta_.begin(), beta_.end(), 0.0));
    if (best_.points() < 4) bias_.set(primal.bias[0]);
    last_steepest_ = HUGE_VAL;
  }

  void record(const char* stage) { run_.record(best_.bounds(), passes(), stage); }

  Solution finish(const NewtonOverExamples<P>& newton) {
    // A neighbour's pair that will do has been settled.
    run_.graced([this] { run_.report.iterations > 0 || from_ == nullptr ? settle(best_) : best_.make_exact(); });
    std::string& solver = run_.report.solver;
    solver = gram_ ? "ascent over the Gram matrix" : rounds_ > 0 ? "ascent on few columns" : "ascent";
    if (newton.steps() > 0) solver += ", then Newton over free examples";
    if (!gram_ && !sweep_) solver = "Newton over free examples";
    const auto gram = products_ ? products_ : from_ ? from_->gram : nullptr;
    const auto curved = curved_ ? curved_ : from_ ? from_->curved : nullptr;
    return {best_.dual(), best_.primal(), run_.finish(best_.bounds(), passes()),
            {},           rows_,          columns_ ? columns_->part() : nullptr,
            gram,         curved};
  }

  Index passes() const {
    const double sweeps = 2 * visited_ / std::max(1.0, static_cast<double>(beta_.size()));
    const Index made = (products_ ? 1 : 0) + (columns_ ? columns_->gathered() : 0);
    return newton_passes_ + best_.points() + made + static_cast<Index>(sweeps);
  }

  using Partition = std::remove_cvref_t<decltype(std::declval<P>().partition)>;
  static constexpr bool kLinear = Partition::kLinearMean;
  static constexpr double kIdle = 0.01;  // of an example's share of the gap: what is left alone if it has no multiplier
  static constexpr double kStill = 0.3;  // of the gap asked for: what all examples together may hold without a move
  static constexpr std::size_t kRun = 64;                               // examples that are visited one after the other
  static constexpr std::size_t kNumbersPerLook = std::size_t{1} << 21;  // at whether the end is asked for
  static constexpr int kTwinless = 2;  // rounds that most fits end in, before anyone looks for twins

  const P& problem_;
  const Neighbour* from_;
  Run run_;
  Limits limits_;
  std::shared_ptr<const FloatRows> rows_;
  std::optional<Sweep<Partition>> sweep_;
  std::optional<std::conditional_t<kLinear, AllColumns, WorkingColumns<Partition>>> columns_;
  std::shared_ptr<const ExampleGram> products_;  // of few examples
  std::optional<GramAscent<P>> gram_;            // over them, instead of both
  std::shared_ptr<CurvedGram> curved_;           // with switches, for Newton
  double least_p_ = 1;                           // prior inclusion of a feature
  bool may_be_few_ = false, few_ = false;        // columns: at all, and in the present sweeps
  bool all_next_ = false;                        // few columns were too few: the next sweeps are over all
  double rest_ = kLeftToDenseRows;               // share of A'' that the other columns may hold, of sparse rows less
  int falls_ = 0, rounds_ = 0;
  std::vector<double> v_, f_, certified_;  // V, scores and beta of the last certificate
  bool two_sided_;
  std::vector<double> beta_, share_;
  std::vector<std::size_t> active_;
  std::vector<char> dropped_;  // from active_, as they idle
  LagrangianBias bias_;
  double gap_ = HUGE_VAL, objective_ = -HUGE_VAL, idle_ = 0, last_steepest_ = HUGE_VAL;
  bool should_close_ = false;   // the gap, by what the last sweeps saw of it
  std::optional<Twins> twins_;  // looked for when a few rounds have not been enough
  std::mt19937_64 random_;
  BestPair<P> best_;
  double visited_ = 0;  // examples, by the share of their entries that was read
  Index newton_passes_ = 0, epochs_ = 0, setbacks_ = 0;
  int failures_ = 0;                                       // of Newton
  double step_cost_ = 1, objective_at_step_ = 0;           // of Newton
  double rise_of_sweeps_ = 0, rise_of_newton_ = HUGE_VAL;  // of log J per epoch, of late; unknown at first
  bool left_newton_ = false, tried_few_ = false;
};

}  // namespace medlar
