// Cells without a value, which hold the mean of their column, and that mean over some of the examples.
#pragma once

#include <span>
#include <vector>

#include "medlar/dataset.hpp"

namespace medlar {

// The imputed cells of these rows, numbered by their places among them.
std::vector<ImputedCell> imputed_of(const std::vector<ImputedCell>& all, std::span<const Index> rows);

// The features of these cells, each once, in order.
std::vector<Index> features_of(const std::vector<ImputedCell>& cells);

// Sets the fill of the columns of these features to the weighted mean over the examples that have a value, or to 0 if
// none has.
void learn_means(Dataset& data, std::span<const Index> features);

// Puts the fills of `schema` into the cells of `data` without a value, and replaces its schema.
void put_means(Dataset& data, const Schema& schema);

}  // namespace medlar
