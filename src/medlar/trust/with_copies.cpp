#include "medlar/trust/with_copies.hpp"

#include <string>
#include <utility>

namespace medlar {

WithCopies with_copies(const Dataset& data, const std::vector<double>& x, const std::vector<double>& copy,
                       const std::vector<char>& kept) {
  const std::size_t n = data.names.size(), T = static_cast<std::size_t>(data.examples());
  WithCopies made{data, {}, {}};
  Dataset& both = made.data;
  both.names.clear();
  both.group_of.clear();
  both.imputed.clear();
  both.schema.columns.clear();
  both.schema.indices.clear();
  const auto add = [&](const std::string& name, std::size_t feature, Index group) {
    both.names.push_back(name);
    if (!data.group_of.empty()) both.group_of.push_back(data.group_of[feature] + group);
    return both.names.size() - 1;
  };
  for (std::size_t i = 0; i < n; ++i) {
    made.own.push_back(add(data.names[i], i, 0));
    made.copied.push_back(kept[i] != 0 ? made.own.back()
                                       : add(data.names[i] + " (copy)", i, std::ssize(data.group_names)));
  }
  for (const std::string& name : data.group_names) both.group_names.push_back(name + " (copy)");
  std::vector<double> values;
  values.reserve(T * both.names.size());
  for (std::size_t k = 0; k < T * n; ++k) {
    values.push_back(x[k]);
    if (kept[k % n] == 0) values.push_back(copy[k]);
  }
  both.schema.features = std::ssize(both.names);
  both.x = Matrix::dense(data.examples(), std::ssize(both.names), std::move(values));
  return made;
}

}  // namespace medlar
