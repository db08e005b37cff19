#include "entry.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <regex>

#include "medlar/folds.hpp"

namespace medlar::bench {
namespace {

constexpr Index kPredicted = 40;     // examples whose predictions are hashed
constexpr std::size_t kLeading = 4;  // coefficients that are written

// FNV-1a over the bits of numbers.
class Hash {
 public:
  void add(double value) {
    const auto bits = std::bit_cast<std::uint64_t>(value);
    for (int shift = 0; shift < 64; shift += 8) hash_ = (hash_ ^ ((bits >> shift) & 255)) * 0x100000001b3U;
  }
  template <class Values>
  void add_all(const Values& values) {
    add(static_cast<double>(values.size()));
    for (const auto value : values) add(static_cast<double>(value));
  }
  std::string text() const { return fmt::format("{:016x}", hash_); }

 private:
  std::uint64_t hash_ = 0xcbf29ce484222325U;
};

std::string hash_of(const std::vector<double>& values) {
  Hash hash;
  hash.add_all(values);
  return hash.text();
}

// JSON has no infinity.
Line number(double value) {
  return std::isfinite(value) ? Line(value) : Line(fmt::format("{}", value));
}

void append(std::vector<double>& to, const std::vector<double>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

// A solver may say how long a part of it took.
std::string without_times(const std::string& solver) {
  static const std::regex times(", [0-9.e+]+ times its time");
  return std::regex_replace(solver, times, "");
}

std::vector<double> coefficients_of(const Model& model) {
  std::vector<double> all;
  for (const Feature& feature : model.features) all.push_back(feature.coefficient);
  all.push_back(model.bias);
  if (model.multiclass) append(all, model.multiclass->coefficient), append(all, model.multiclass->class_bias);
  if (model.kernel) {
    append(all, model.kernel->weights);
    append(all, model.kernel->pair_bias);
    append(all, model.kernel->class_bias);
  }
  if (model.generative) {
    for (const GenerativeMember& member : model.generative->members) {
      for (const auto& chi : member.chi) append(all, chi);
    }
    for (const GenerativeTree& tree : model.generative->trees) append(all, tree.weight);
    append(all, model.generative->class_bias);
  }
  return all;
}

void add_generative(Hash& hash, const GenerativePart& part) {
  for (const GenerativeMember& member : part.members) hash.add_all(member.inclusion), hash.add_all(member.shape);
  for (const GenerativeTree& tree : part.trees) {
    for (const auto& single : tree.single) hash.add_all(single);
    for (const auto& pair : tree.pair) hash.add_all(pair);
  }
  for (const double value : {part.margin_location, part.margin_scale, part.slope, part.threshold}) hash.add(value);
  hash.add_all(part.levels);
  hash.add_all(part.typical);
}

void add_latent(Hash& hash, const LatentPart& part) {
  hash.add_all(part.kl);
  hash.add_all(part.share);
  hash.add_all(part.belief);
  if (const auto& of = part.transformation) {
    for (const auto* each : {&of->maps, &of->mean, &of->variance, &of->multiplier}) hash.add_all(*each);
  }
  if (const auto& of = part.alignment) {
    for (const auto* each :
         {&of->start, &of->transition, &of->mean, &of->variance, &of->shift, &of->factor, &of->multiplier}) {
      hash.add_all(*each);
    }
  }
}

std::string rest_of(const Model& model) {
  Hash hash;
  for (const Feature& feature : model.features) hash.add(feature.inclusion), hash.add(feature.sd);
  for (const double value : {model.bias_sd, model.typical_sd}) hash.add(value);
  hash.add_all(model.support);
  hash.add_all(model.multipliers);
  for (const Transform& each : model.transforms) {
    for (const auto* numbers : {&each.shift, &each.factor, &each.basis, &each.phase, &each.whitening}) {
      hash.add_all(*numbers);
    }
  }
  if (model.kernel) hash.add_all(model.kernel->values);
  if (model.generative) add_generative(hash, *model.generative);
  if (model.latent) add_latent(hash, *model.latent);
  return hash.text();
}

std::string predictions_of(const Model& model, const Dataset& data) {
  std::vector<Index> rows(static_cast<std::size_t>(std::min(data.examples(), kPredicted)));
  std::iota(rows.begin(), rows.end(), Index{0});
  Hash hash;
  for (const Prediction& each : model.predict(subset(data, rows).x)) {
    for (const double value : {each.score, each.sd, each.probability}) hash.add(value);
    hash.add_all(each.probabilities);
  }
  return hash.text();
}

Line line_of(const std::string& name, const Report& report, const std::vector<double>& coefficients) {
  double squares = 0;
  for (const double each : coefficients) squares += each * each;
  Line head = Line::array();
  for (std::size_t i = 0; i < std::min(kLeading, coefficients.size()); ++i) head.push_back(number(coefficients[i]));
  return {{"name", name},
          {"status", to_string(report.status)},
          {"solver", without_times(report.solver)},
          {"passes", report.passes},
          {"iterations", report.iterations},
          {"J", number(report.objective)},
          {"F", number(report.primal)},
          {"gap", number(report.gap)},
          {"relative_gap", number(report.relative_gap)},
          {"tolerance", report.tolerance},
          {"seconds", report.seconds},
          {"bits", hash_of(coefficients)},
          {"norm", number(std::sqrt(squares))},
          {"head", head}};
}

}  // namespace

Line line_of(const std::string& name, const Model& model, const Dataset& data) {
  Line line = line_of(name, model.report, coefficients_of(model));
  line["rest"] = rest_of(model);
  line["predictions"] = predictions_of(model, data);
  return line;
}

Line line_of(const std::string& name, const PathStep& step) {
  std::vector<double> coefficients = step.coefficient;
  coefficients.push_back(step.bias);
  if (step.classes) append(coefficients, step.classes->coefficient), append(coefficients, step.classes->class_bias);
  Line line = line_of(name, step.report, coefficients);
  Hash rest;
  rest.add_all(step.inclusion);
  for (const double value : {static_cast<double>(step.support), step.training_error}) rest.add(value);
  line["rest"] = rest.text();
  return line;
}

Line line_of(const std::string& name, const std::vector<double>& numbers) {
  Report none;
  none.status = Status::converged;
  return line_of(name, none, numbers);
}

Line line_of_refusal(const std::string& name, const std::string& message) {
  return {{"name", name}, {"status", "refused"}, {"message", message}};
}

}  // namespace medlar::bench
