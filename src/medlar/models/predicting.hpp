// What the predictions of all kinds of model share: the transforms, replayed block by block, and what follows from the
// mean and the standard deviation of the discriminant.
#pragma once

#include <functional>

#include "medlar/model.hpp"

namespace medlar {

// Calls visit(inputs) for blocks of rows, in order, after the model's transforms; `columns` is how many columns these
// must make. The whole expansion is never in memory.
void for_each_block(const Model& model, const Matrix& x, Index columns,
                    const std::function<void(const Matrix& inputs)>& visit);

// Scores of a linear model of several classes, example by example.
std::vector<std::vector<double>> linear_class_scores(const Model& model, const Matrix& x);

// Refuses a score or sd that is not finite. `example` counts from 0. `by_missing`: a missing value may be the reason.
void require_finite(const Prediction& prediction, Index example, bool by_missing = true);

// P(N(score, sd^2) > 0); sd may be 0.
double normal_cdf(double score, double sd);

// The model's own probability of the positive label of two classes: Phi(score / sd), and where the margin is logistic
// 1 / (1 + e^-score), for its score is the log odds.
double probability_of(const Model& model, const Prediction& prediction);

// Sets the label and its probability for two classes. Refuses what is not finite.
void complete(const Model& model, Index example, Prediction& prediction);

}  // namespace medlar
