// U^T H U over constraints between classes: row c of U is +u_t in the statistics of class `up` and -u_t in those of
// class `down`. A constraint between k and l adds u u^T h to the blocks of both, so that only one matrix per pair is
// summed.
#pragma once

#include <Eigen/Dense>

#include <span>

#include "medlar/types.hpp"

namespace medlar {

// u holds one example per row. down = -1 stands for no class. What has h = 0 is left out. Class by class.
Eigen::MatrixXd class_gram(const Eigen::MatrixXd& u, Index classes, std::span<const Index> example,
                           std::span<const Index> up, std::span<const Index> down, std::span<const double> h);

// The same matrix with the last statistic of every class at its end: the biases, where that is a constant.
Eigen::MatrixXd biases_last(const Eigen::MatrixXd& gram, Index classes);

}  // namespace medlar
