// Fits that begin at another fit, and fits by the dozen: continued, relaxed, tuned, repeated, recalibrated.
#include <fmt/format.h>

#include "drawn.hpp"
#include "medlar/fit.hpp"
#include "medlar/metrics.hpp"
#include "medlar/selection.hpp"
#include "medlar/tune.hpp"
#include "recorder.hpp"

namespace medlar::bench {
namespace {

void continued(Recorder& record, const std::string& kind, const Dataset& data, const std::string& words) {
  for (const char* first : {"p0=0.1 c=5", "p0=1 c=2"}) {
    for (const char* then : {"p0=0.1 c=5", "p0=1e-3 c=5", "p0=1e-3 c=50", "p0=1e-6 c=1.5"}) {
      const std::string name = fmt::format("starts/{} {} then {}", kind, first, then);
      record.lines(name, [&] {
        const Model from = fit(data, settings_from(fmt::format("{} {}", words, first)));
        Continuation continuation;
        continuation.from = &from;
        const Settings settings = settings_from(fmt::format("{} {}", words, then));
        return std::vector<Line>{line_of(name, fit(data, settings, nullptr, continuation), data)};
      });
    }
  }
}

void relaxed(Recorder& record, const std::string& kind, const Dataset& data, const std::string& words) {
  for (const Index kept : {1, 3, 8, 20}) {
    const std::string name = fmt::format("starts/{} relaxed to {}", kind, kept);
    record.lines(name, [&] {
      const Settings settings = settings_from(words + " p0=1e-3");
      return std::vector<Line>{line_of(name, relaxed_refit(data, settings, fit(data, settings), kept), data)};
    });
  }
}

void tuned(Recorder& record, const std::string& kind, const Dataset& data, const std::string& words) {
  const std::string name = fmt::format("starts/{} tuned", kind);
  record.lines(name, [&] {
    const Settings settings = settings_from(words);
    std::vector<TuneCandidate> candidates;
    for (const double p0 : {1.0, 0.1, 1e-3, 1e-5})
      candidates.push_back({.p0 = p0, .c = {}, .prior_variance = {}, .ranking = {}});
    const Tuning tuning = tune(data, settings, candidates, {.folds = 4}, held_out_score);
    std::vector<Line> lines;
    for (const TuneScore& score : tuning.scores) {
      std::vector<double> numbers{score.mean, score.standard_error, score.selected};
      numbers.insert(numbers.end(), score.folds.begin(), score.folds.end());
      lines.push_back(line_of(fmt::format("{} p0={}", name, score.candidate.p0), numbers));
    }
    const TuneCandidate& best = tuning.scores[tuning.best].candidate;
    lines.push_back(line_of(name, fit_candidate(data, settings, best), data));
    return lines;
  });
}

void trusted(Recorder& record, const std::string& kind, const Dataset& data, const std::string& words) {
  const std::string name = fmt::format("starts/{} trusted", kind);
  record.lines(name, [&] {
    TrustOptions how;
    how.stability.refits = 20;
    how.knockoffs = DiscoveryOptions{.draws = 2};
    how.correlation = 0.9;
    const auto trusted = fit_with_trust(data, settings_from(words), how);
    std::vector<Line> lines{line_of(name, trusted->model, data)};
    lines.push_back(line_of(name + ": stability", trusted->model.stability->fraction));
    lines.push_back(line_of(name + ": knockoffs", trusted->model.discoveries->statistic));
    lines.push_back(line_of(name + ": probabilities", trusted->model.discoveries->probability));
    return lines;
  });
}

}  // namespace

void record_starts(Recorder& record) {
  const Dataset two = drawn({.examples = 90, .features = 30, .seed = 181});
  const Dataset numbers = drawn({.examples = 70, .features = 25, .classes = 0, .seed = 182});
  const Dataset three = drawn({.examples = 90, .features = 12, .classes = 3, .seed = 183});
  const std::pair<const char*, const Dataset*> some[] = {{"two", &two}, {"numbers", &numbers}};
  for (const auto& [kind, data] : some) {
    const std::string words = data == &numbers ? "task=regress" : "task=classify";
    continued(record, kind, *data, words);
    relaxed(record, kind, *data, words);
    tuned(record, kind, *data, words);
    trusted(record, kind, *data, words);
  }
  continued(record, "hinge", two, "margin=hinge");
  tuned(record, "three", three, "task=classify");
  for (const char* curve : {"platt", "isotonic"}) {
    const std::string name = fmt::format("starts/two by {}", curve);
    record.lines(name, [&] {
      const Settings settings = settings_from("task=classify");
      const auto part = [&](const Dataset& data, Observer*) { return fit(data, settings); };
      Model model = fit(two, settings);
      model.recalibration = recalibrate(model, two, word_as<decltype(Recalibration::kind)>(curve), 4, part);
      return std::vector<Line>{line_of(name, model, two)};
    });
  }
}

}  // namespace medlar::bench
