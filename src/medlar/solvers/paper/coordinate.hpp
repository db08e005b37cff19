// The paper's own optimiser: axis-parallel ascent   [MED 2.1, appendix B]
//
// One multiplier at a time in random order, each at the exact maximum of J along its axis; with a flat bias two at a
// time, along beta_t + d, beta_u - d, which keeps their sum. The maximum is found literally, by Brent's method on J, or
// by safeguarded Newton on its slope. For any potential and any separable log-partition; V is kept in double
// throughout.
//
// Where more multipliers are free than there are features, J hardly bends along their dependencies, and single axes
// crawl along its ridges. Before each certificate the search therefore also goes as far as J rises along what the
// sweeps have changed in all, the pattern move of Hooke and Jeeves.
#pragma once

#include <algorithm>
#include <boost/math/tools/minima.hpp>
#include <cmath>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

#include "medlar/linalg/give_up.hpp"
#include "medlar/problem/run.hpp"
#include "medlar/problem/settle.hpp"
#include "medlar/problem/start.hpp"
#include "medlar/simd/sum_loops.hpp"
#include "medlar/solvers/kernel/signed_potential.hpp"
#include "medlar/solvers/solution.hpp"
#include "medlar/thresholds/giving_up.hpp"
#include "medlar/words.hpp"

namespace medlar {

template <class P>
class Coordinate {
 public:
  Coordinate(const P& problem, const Limits& limits, Observer* observer, LineSearch search)
      : problem_(problem),
        limits_(limits),
        run_(limits, observer),
        phi_(problem),
        search_(search),
        random_(limits.seed),
        best_(problem, limits.tolerance),
        beta_(phi_.examples(), 0.0),
        v_(static_cast<std::size_t>(problem.partition.dimension()), 0.0),
        slack_(phi_.examples()),
        place_(v_.size(), -1) {}

  Solution solve(std::vector<double> start = {}) {
    beta_ = start.empty() ? problem_.constraints.beta(multipliers_to_move(problem_)) : std::move(start);
    certify();
    Index until_certificate = 1;
    while (!run_.reached(best_.bounds(), passes_)) {
      const double before = best_.gap();
      const std::vector<double> from = beta_;
      for (Index sweep = 0; sweep < until_certificate && !run_.asked(); ++sweep) sweep_once();
      if (!run_.graced([&] { follow(from), certify(); })) continue;
      // Rarely at first, then as often as pays: a certificate costs two passes.
      if (best_.gap() > 0.5 * before) until_certificate = std::min<Index>(until_certificate * 2, 32);
      if (!best_.consistent()) {
        run_.lost_digits(best_.bounds());
        break;
      }
      // Half the digits are all that Brent's method finds; what is left then no longer falls. Along a ridge J rises
      // slowly and steadily before the gap falls at all.
      if (best_.gap() < 0.9 * last_gap_) last_gap_ = best_.gap(), idle_ = 0;
      if (best_.dual().objective > last_objective_ + kSteadyRise * best_.gap()) {
        last_objective_ = best_.dual().objective, idle_ = 0;
      }
      if (++idle_ > kMostIdleSearches) {
        run_.give_up(best_.bounds());
        break;
      }
    }
    return finish();
  }

  Report& report() { return run_.report; }

 private:
  // Where one end of a line leads: beta_t + rate d.
  struct End {
    std::size_t t;
    double rate;
  };
  double last_of(const End& end) const { return end.rate > 0 ? phi_.high(end.t) : phi_.low(end.t); }
  double room_of(const End& end) const { return (last_of(end) - beta_[end.t]) / end.rate; }

  void sweep_once() {
    std::vector<std::size_t> order(beta_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::shuffle(order.begin(), order.end(), random_);
    if (problem_.bias.flat()) look_at_all();
    for (const std::size_t t : order) {
      if (run_.asked()) return;
      if (problem_.bias.flat()) {
        visit_pair(t);
      } else {
        visit_alone(t);
      }
    }
    ++passes_;
  }

  // The slopes of J as beta_t rises and falls, without the bias.
  struct Slack {
    double rise, fall;
  };
  Slack look(std::size_t t) const {
    double f = 0;
    for_each(row(t),
             [&](Index i, double x) { f += x * problem_.partition.mean_at(i, v_[static_cast<std::size_t>(i)]); });
    return {phi_.rising(t, beta_[t]) - f, phi_.falling(t, beta_[t]) - f};
  }
  void look_at_all() {
    for (std::size_t t = 0; t < beta_.size() && !run_.asked(); ++t) slack_[t] = look(t);
    ++passes_;
  }

  // The partner promises most by what was last seen of it: the steepest against t, in whichever direction is worse.
  void visit_pair(std::size_t t) {
    slack_[t] = look(t);
    std::size_t lowest = t, highest = t;
    for (std::size_t u = 0; u < beta_.size(); ++u) {
      if (slack_[u].fall < slack_[lowest].fall) lowest = u;
      if (slack_[u].rise > slack_[highest].rise) highest = u;
    }
    const bool up = slack_[t].rise - slack_[lowest].fall >= slack_[highest].rise - slack_[t].fall;
    const std::size_t u = up ? lowest : highest;
    if (u == t) return;
    slack_[u] = look(u);
    const std::size_t rises = up ? t : u, falls = up ? u : t;
    if (slack_[rises].rise > slack_[falls].fall)
      move({{rises, +1}, {falls, -1}}, slack_[rises].rise - slack_[falls].fall);
    slack_[t] = look(t);
    slack_[u] = look(u);
  }

  void visit_alone(std::size_t t) {
    const Slack slack = look(t);
    const double prior = problem_.bias_variance() * sum_;
    if (slack.rise - prior > 0) {
      move({{t, +1}}, slack.rise - prior);
    } else if (slack.fall - prior < 0) {
      move({{t, -1}}, prior - slack.fall);
    }
  }

  // Goes on along the change since `from`, with the multipliers that are still inside a piece of their domain.
  void follow(const std::vector<double>& from) {
    std::vector<End> ends;
    double sum = 0;
    for (std::size_t t = 0; t < beta_.size(); ++t) {
      const double change = beta_[t] - from[t];
      if (change == 0 || beta_[t] == 0 || beta_[t] == phi_.low(t) || beta_[t] == phi_.high(t)) continue;
      ends.push_back({t, change});
      sum += change;
    }
    if (problem_.bias.flat()) {
      for (End& end : ends) end.rate -= sum / static_cast<double>(ends.size());
    }
    std::erase_if(ends, [](const End& end) { return end.rate == 0; });
    if (ends.size() < 2) return;
    set_line(ends);
    const double slope = local(ends, 0, true).slope;
    if (slope > 0) move(ends, slope);
    ++passes_;
  }

  // Moves along the line to the maximum of J; `slope` > 0 is that of J at its start.
  void move(const std::vector<End>& ends, double slope) {
    set_line(ends);
    double room = HUGE_VAL;
    std::vector<double> kinks;  // where a multiplier of a regression passes 0
    for (const End& end : ends) {
      room = std::min(room, room_of(end));
      if (end.rate * beta_[end.t] < 0) kinks.push_back(-beta_[end.t] / end.rate);
    }
    std::sort(kinks.begin(), kinks.end());
    const double step =
        search_ == LineSearch::newton ? by_newton(ends, kinks, room, slope) : by_brent(ends, kinks, room, slope);
    if (!(step > 0)) return;
    for (const End& end : ends) {
      double to = beta_[end.t] + end.rate * step;
      if (step == room && room_of(end) == room) to = last_of(end);  // exactly at the end that stopped it
      if (end.rate * beta_[end.t] < 0 && step == -beta_[end.t] / end.rate) to = 0;  // or at the kink
      sum_ += to - beta_[end.t];
      beta_[end.t] = to;
    }
    for (std::size_t e = 0; e < line_.size(); ++e) v_[line_[e].feature] += step * line_[e].x;
  }

  // The line in V: features with the change of V_i per unit of d.
  struct Entry {
    std::size_t feature;
    double x;
  };
  void set_line(const std::vector<End>& ends) {
    line_.clear();
    for (const End& end : ends) {
      for_each(row(end.t), [&](Index i, double x) {
        const auto feature = static_cast<std::size_t>(i);
        if (place_[feature] < 0) {
          place_[feature] = std::ssize(line_);
          line_.push_back({feature, 0.0});
        }
        line_[static_cast<std::size_t>(place_[feature])].x += end.rate * x;
      });
      pause_after(row(end.t).values.size());
    }
    for (const Entry& entry : line_) place_[entry.feature] = -1;
  }

  // How fast the sum of the multipliers grows; a flat bias keeps it.
  double rate_of_sum(const std::vector<End>& ends) const {
    double sum = 0;
    for (const End& end : ends) sum += end.rate;
    return problem_.bias.flat() ? 0.0 : sum;
  }

  // J along the line, up to a constant.
  double gain(const std::vector<End>& ends, double d) const {
    CompensatedSum sum;
    for (const End& end : ends) sum.add(phi_.value(end.t, beta_[end.t] + end.rate * d));
    for (const Entry& entry : line_) {
      sum.add(-problem_.partition.value_at(static_cast<Index>(entry.feature), v_[entry.feature] + d * entry.x));
    }
    const double s = sum_ + rate_of_sum(ends) * d;
    sum.add(-0.5 * problem_.bias_variance() * s * s);
    return sum.value();
  }

  // Its slope and minus its curvature, on the side of the kinks that `forwards` says.
  struct Local {
    double slope, curvature;
  };
  Local local(const std::vector<End>& ends, double d, bool forwards) const {
    const double toward = rate_of_sum(ends), sigma2 = problem_.bias_variance();
    Local at{-toward * sigma2 * (sum_ + toward * d), toward * toward * sigma2};
    for (const End& end : ends) {
      const double beta = beta_[end.t] + end.rate * d;
      const bool rising = forwards == (end.rate > 0);
      at.slope += end.rate * (rising ? phi_.rising(end.t, beta) : phi_.falling(end.t, beta));
      at.curvature += end.rate * end.rate * phi_.curvature(end.t, beta);
    }
    for (const Entry& entry : line_) {
      const auto i = static_cast<Index>(entry.feature);
      const double v = v_[entry.feature] + d * entry.x;
      at.slope -= entry.x * problem_.partition.mean_at(i, v);
      at.curvature += entry.x * entry.x * problem_.partition.variance_at(i, v);
    }
    return at;
  }

  // The slope falls along d; the root lies in the first piece between kinks at whose end it is no longer positive.
  double by_newton(const std::vector<End>& ends, const std::vector<double>& kinks, double room, double first) const {
    double low = 0, high = room;
    const auto end = std::lower_bound(kinks.begin(), kinks.end(), room);
    const auto next_kink =
        std::partition_point(kinks.begin(), end, [&](double kink) { return local(ends, kink, false).slope > 0; });
    if (next_kink != end) high = *next_kink;
    if (next_kink != kinks.begin()) {
      low = *(next_kink - 1);
      first = local(ends, low, true).slope;
      if (first <= 0) return low;
    }
    const bool reachable = std::isfinite(high) && (high < room || can_reach(ends, room));
    if (reachable && high == room && local(ends, room, false).slope >= 0) return room;
    double d = low;
    Local at = local(ends, d, true);
    const double enough = 1e-12 * first;
    for (int step = 0; step < 100; ++step) {
      double next = d + at.slope / at.curvature;
      if (!(next > low && next < high)) next = std::isfinite(high) ? 0.5 * (low + high) : 2 * d + 1;
      if (!(next > low && next < high) || next == d) break;
      d = next;
      at = local(ends, d, true);
      if (std::abs(at.slope) <= enough) break;
      (at.slope > 0 ? low : high) = d;
    }
    return d;
  }

  // Whether multipliers may go to the end of the line: to 0 and to the other end of their domain, if to either.
  bool can_reach(const std::vector<End>& ends, double room) const {
    for (const End& end : ends) {
      const bool reachable = last_of(end) == 0 ? problem_.reaches_zero() : problem_.reaches_end();
      if (!reachable && room_of(end) == room) return false;
    }
    return true;
  }

  // Brent's method on J itself, as in the paper: to half the digits of d, which are all the digits of J. Where J has a
  // kink, or ends, near the maximum, the maximum is there.
  double by_brent(const std::vector<End>& ends, const std::vector<double>& kinks, double room, double slope) const {
    double high = room;
    if (!std::isfinite(high)) {
      high = slope / std::max(local(ends, 0, true).curvature, 1e-300);
      while (local(ends, high, true).slope > 0) high *= 2;
    }
    const bool reachable = can_reach(ends, room);
    if (!reachable && high == room) high = std::nextafter(room, 0.0);
    const double start = gain(ends, 0);
    auto [d, value] = boost::math::tools::brent_find_minima([&](double at) { return start - gain(ends, at); }, 0.0,
                                                            high, std::numeric_limits<double>::digits / 2 + 2);
    double best = -value;
    const auto prefer = [&](double at) {
      const double there = gain(ends, at) - start;
      if (there >= best - 1e-15 * std::abs(start)) best = std::max(best, there), d = at;
    };
    const auto after = std::lower_bound(kinks.begin(), kinks.end(), d);
    if (after != kinks.end() && *after < room) prefer(*after);
    if (after != kinks.begin()) prefer(*(after - 1));
    if (reachable && high == room) prefer(room);
    return best > 0 || d == room || std::find(kinks.begin(), kinks.end(), d) != kinks.end() ? d : 0.0;
  }

  RowView row(std::size_t t) const { return problem_.constraints.x->row(static_cast<Index>(t)); }

  // Both halves of the certificate, and V anew from beta.
  void certify() {
    DualPoint dual = dual_point(problem_, multipliers_of(problem_, beta_));
    const PrimalPoint primal = primal_point(problem_, dual.v, best_.primal().bias);
    beta_ = dual.beta;
    v_ = dual.v;
    sum_ = compensated_sum(beta_);
    best_.consider(std::move(dual));
    best_.consider(primal);
    passes_ += 2;
    ++run_.report.iterations;
    run_.record(best_.bounds(), passes_, "coordinate");
  }

  Solution finish() {
    run_.graced([this] { settle(best_); });
    run_.report.solver =
        search_ == LineSearch::brent ? "coordinate, by Brent's method" : "coordinate, by Newton's method";
    run_.report.why = "asked for";
    return {best_.dual(), best_.primal(), run_.finish(best_.bounds(), passes_)};
  }

  const P& problem_;
  Limits limits_;
  Run run_;
  SignedPotential<P> phi_;
  LineSearch search_;
  std::mt19937_64 random_;
  BestPair<P> best_;
  std::vector<double> beta_, v_;
  std::vector<Slack> slack_;
  std::vector<Entry> line_;
  std::vector<Index> place_;  // of each feature in line_ while that is made, else -1
  double sum_ = 0;
  Index passes_ = 0;
  double last_gap_ = HUGE_VAL;         // that last was a tenth below the one before
  double last_objective_ = -HUGE_VAL;  // that last was well above the one before
  int idle_ = 0;
};

}  // namespace medlar
