// U^T H U over constraints between classes. Row c of U is +u_t in the statistics of class `up` and -u_t in those of
// class `down`. A constraint between k and l adds h u u^T to the diagonal blocks of k and l and subtracts it between
// them, so only one matrix per pair is summed.
#pragma once

#include <Eigen/Dense>

#include <span>

#include "medlar/types.hpp"

namespace medlar {

// u holds one example per row. down = -1 stands for no class. Constraints with h = 0 are skipped. The result is ordered
// class by class.
Eigen::MatrixXd class_gram(const Eigen::MatrixXd& u, Index classes, std::span<const Index> example,
                           std::span<const Index> up, std::span<const Index> down, std::span<const double> h);

// The same matrix with the last statistic of every class moved to the end. These are the biases, if that statistic is a
// constant.
Eigen::MatrixXd biases_last(const Eigen::MatrixXd& gram, Index classes);

}  // namespace medlar
