// What a latent model keeps: its examples as rows, and its part of the model file.
#pragma once

#include <span>

#include "medlar/model.hpp"
#include "medlar/modelfile/json_field.hpp"

namespace medlar {

KeptRows kept_rows(const Matrix& x, std::span<const Index> rows);
void add_rows(KeptRows& kept, const Matrix& x);
Matrix matrix_of(const KeptRows& kept);

Json latent_json(const LatentPart& part);
LatentPart latent_from(const JsonField& field, std::size_t labels);

}  // namespace medlar
