// A model file may be edited by hand, so every size is checked against the others before a matrix is made. Older files
// hold one multiplier and one variance as plain numbers, and still load.
#include "medlar/models/latent/latent_part.hpp"

#include <fmt/format.h>

#include <utility>

#include "medlar/options/vocabulary.hpp"
#include "medlar/prepare/rows.hpp"

namespace medlar {
namespace {

Json numbers(const std::vector<double>& values) {
  Json list = Json::array();
  for (const double value : values) list.push_back(json_number(value));
  return list;
}

KeptRows rows_from(const JsonField& field) {
  KeptRows kept;
  kept.columns = field.at("columns").count();
  kept.values = field.at("values").finites();
  const auto stored = static_cast<Index>(kept.values.size());
  kept.sparse = field.has("starts");
  if (!kept.sparse) {
    if (kept.columns == 0 ? stored > 0 : stored % kept.columns != 0) {
      field.refuse(fmt::format("has {} values, which are no rows of {} columns", stored, kept.columns));
    }
    return kept;
  }
  Index last = 0;
  for (const JsonField& start : field.at("starts").items()) kept.starts.push_back(last = start.integer(last, stored));
  if (kept.starts.empty() || kept.starts.front() != 0 || kept.starts.back() != stored) {
    field.at("starts").refuse(fmt::format("must run from 0 to {}", stored));
  }
  for (const JsonField& column : field.at("column_of").items()) {
    kept.column_of.push_back(static_cast<Column>(column.integer(0, kept.columns - 1)));
  }
  if (static_cast<Index>(kept.column_of.size()) != stored) {
    field.at("column_of").refuse(fmt::format("has {} columns for {} values", kept.column_of.size(), stored));
  }
  for (std::size_t t = 0; t + 1 < kept.starts.size(); ++t) {
    for (Index j = kept.starts[t] + 1; j < kept.starts[t + 1]; ++j) {
      const auto k = static_cast<std::size_t>(j);
      if (kept.column_of[k] <= kept.column_of[k - 1]) field.at("column_of").refuse("must increase within a row");
    }
  }
  return kept;
}

// One multiplier for each problem of a literal fit, else none. Older files hold a single number.
std::vector<double> multipliers_from(const JsonField& field, std::size_t problems) {
  std::vector<double> multipliers;
  if (field.is_number()) {
    if (const double only = field.at_least(0); only > 0) multipliers.push_back(only);
  } else {
    for (const JsonField& entry : field.items()) multipliers.push_back(entry.at_least(0));
  }
  if (!multipliers.empty() && multipliers.size() != problems) {
    field.refuse(fmt::format("has {} values, but must have {}", multipliers.size(), problems));
  }
  return multipliers;
}

TransformationPart transformation_from(const JsonField& field, std::size_t problems) {
  TransformationPart part;
  part.kind = field.at("kind").word({LatentKind::shifts, LatentKind::matrices, LatentKind::translation});
  part.height = field.at("height").integer(1, 1 << 20);
  part.width = field.at("width").integer(1, 1 << 30);
  part.reach = field.at("reach").integer(0, 1000);
  part.rotation = field.at("rotation").at_least(0);
  part.maps = field.at("maps").finites();
  part.mean = field.at("mean").finites();
  if (field.has("background")) part.background = field.at("background").finite();
  part.multiplier = multipliers_from(field.at("multiplier"), problems);
  if (!part.mean.empty() && static_cast<Index>(part.mean.size()) != part.height * part.width) {
    field.at("mean").refuse(fmt::format("has {} values for {} features", part.mean.size(), part.height * part.width));
  }
  const JsonField variance = field.at("variance");
  if (variance.is_number()) {  // older files: one variance for all features
    part.variance.assign(part.mean.size(), variance.at_least(0));
  } else {
    part.variance = variance.finites();
  }
  for (const double each : part.variance) {
    if (!(each > 0)) variance.refuse(fmt::format("has {}, but must be > 0", each));
  }
  if (part.variance.size() != part.mean.size()) {
    variance.refuse(fmt::format("has {} values for a mean of {}", part.variance.size(), part.mean.size()));
  }
  const Index wanted = part.kind == LatentKind::matrices      ? part.width * part.width
                       : part.kind == LatentKind::translation ? part.width
                                                              : 0;
  if (wanted > 0 ? static_cast<Index>(part.maps.size()) % wanted != 0 : !part.maps.empty()) {
    field.at("maps").refuse(
        fmt::format("has {} values, which are no maps of {} features", part.maps.size(), part.width));
  }
  return part;
}

AlignmentPart alignment_from(const JsonField& field, std::size_t problems) {
  AlignmentPart part;
  part.states = field.at("states").integer(1, 10000);
  part.channels = field.at("channels").integer(1, 1 << 20);
  part.path = field.at("path").word({StatePath::hmm, StatePath::segments, StatePath::left_to_right, StatePath::given});
  part.statistics =
      field.at("statistics")
          .word({StateStatistics::levels, StateStatistics::squares, StateStatistics::changes, StateStatistics::roots});
  const auto sized = [&](const char* name, Index wanted) {
    std::vector<double> values = field.at(name).finites();
    if (static_cast<Index>(values.size()) != wanted) {
      field.at(name).refuse(fmt::format("has {} values, but must have {}", values.size(), wanted));
    }
    return values;
  };
  const Index S = part.states, C = part.channels, chained = part.path == StatePath::segments ? 0 : 1,
              learnt = part.path == StatePath::hmm ? 1 : 0;
  part.start = sized("start", chained * S);
  part.transition = sized("transition", chained * S * S);
  part.mean = sized("mean", learnt * S * C);
  part.variance = sized("variance", learnt * S * C);
  for (const double variance : part.variance) {
    if (!(variance > 0)) field.at("variance").refuse(fmt::format("has {}, but must be > 0", variance));
  }
  part.shift = sized("shift", C);
  part.factor = sized("factor", C);
  part.multiplier = multipliers_from(field.at("multiplier"), problems);
  return part;
}

}  // namespace

void add_rows(KeptRows& kept, const Matrix& x) {
  if (kept.sparse && kept.starts.empty()) kept.starts.push_back(0);
  for (Index t = 0; t < x.rows(); ++t) {
    std::vector<double> dense(kept.sparse ? 0 : static_cast<std::size_t>(kept.columns), 0.0);
    for_each(x.row(t), [&](Index i, double value) {
      if (!kept.sparse) {
        dense[static_cast<std::size_t>(i)] = value;
      } else if (value != 0) {
        kept.column_of.push_back(static_cast<Column>(i));
        kept.values.push_back(value);
      }
    });
    kept.values.insert(kept.values.end(), dense.begin(), dense.end());
    if (kept.sparse) kept.starts.push_back(static_cast<Index>(kept.values.size()));
  }
}

KeptRows kept_rows(const Matrix& x, std::span<const Index> rows) {
  KeptRows kept{x.columns(), x.is_sparse(), {}, {}, {}};
  add_rows(kept, static_cast<Index>(rows.size()) == x.rows() ? x : select_rows(x, rows));
  return kept;
}

Matrix matrix_of(const KeptRows& kept) {
  if (kept.sparse) {
    const auto rows = static_cast<Index>(kept.starts.size()) - 1;
    return Matrix::sparse(rows, kept.columns, kept.starts, kept.column_of, kept.values);
  }
  const Index rows = kept.columns == 0 ? 0 : static_cast<Index>(kept.values.size()) / kept.columns;
  return Matrix::dense(rows, kept.columns, kept.values);
}

Json latent_json(const LatentPart& part) {
  Json rows = {{"columns", part.rows.columns}};
  if (part.rows.sparse) {
    rows["starts"] = part.rows.starts;
    rows["column_of"] = part.rows.column_of;
  }
  rows["values"] = numbers(part.rows.values);
  Json object = {{"kl", numbers(part.kl)}};
  if (!part.share.empty()) object["share"] = numbers(part.share);
  object["belief"] = numbers(part.belief);
  object["weight"] = numbers(part.weight);
  object["unlabelled"] = part.unlabelled;
  object["rows"] = std::move(rows);
  if (const auto& t = part.transformation) {
    object["transformation"] = {{"kind", word_of(t->kind)},
                                {"height", t->height},
                                {"width", t->width},
                                {"reach", t->reach},
                                {"rotation", t->rotation},
                                {"maps", numbers(t->maps)},
                                {"mean", numbers(t->mean)},
                                {"variance", numbers(t->variance)},
                                {"multiplier", numbers(t->multiplier)}};
  }
  if (part.transformation && part.transformation->background) {
    object["transformation"]["background"] = json_number(*part.transformation->background);
  }
  if (const auto& a = part.alignment) {
    object["alignment"] = {{"states", a->states},
                           {"channels", a->channels},
                           {"path", word_of(a->path)},
                           {"statistics", word_of(a->statistics)},
                           {"start", numbers(a->start)},
                           {"transition", numbers(a->transition)},
                           {"mean", numbers(a->mean)},
                           {"variance", numbers(a->variance)},
                           {"shift", numbers(a->shift)},
                           {"factor", numbers(a->factor)},
                           {"multiplier", numbers(a->multiplier)}};
  }
  return object;
}

LatentPart latent_from(const JsonField& field, std::size_t labels) {
  LatentPart part;
  const std::size_t each = labels > 2 ? labels : 1;  // problems, and beliefs of an example
  part.kl = field.at("kl").finites();
  const auto share = [](const JsonField& entry) {
    const double value = entry.at_least(0);
    if (value > 1) entry.refuse(fmt::format("is {}, but must be <= 1", value));
    return value;
  };
  if (field.has("share")) {
    for (const JsonField& entry : field.at("share").items()) part.share.push_back(share(entry));
  }
  part.rows = rows_from(field.at("rows"));
  const Index examples = matrix_of(part.rows).rows();
  for (const JsonField& entry : field.at("belief").items()) part.belief.push_back(share(entry));
  for (const JsonField& entry : field.at("weight").items()) part.weight.push_back(entry.at_least(0));
  for (const JsonField& entry : field.at("unlabelled").items()) {
    part.unlabelled.push_back(entry.integer(0, examples - 1));
  }
  const auto sized = [&](const char* name, std::size_t size, std::size_t wanted) {
    if (size != wanted) field.at(name).refuse(fmt::format("has {} values, but must have {}", size, wanted));
  };
  sized("belief", part.belief.size(), static_cast<std::size_t>(examples) * each);
  sized("weight", part.weight.size(), static_cast<std::size_t>(examples));
  if (!part.share.empty()) sized("share", part.share.size(), each);
  if (field.has("transformation")) part.transformation = transformation_from(field.at("transformation"), each);
  if (field.has("alignment")) part.alignment = alignment_from(field.at("alignment"), each);
  return part;
}

}  // namespace medlar
