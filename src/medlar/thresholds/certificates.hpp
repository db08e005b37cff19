// How often is a certificate worth its price? It is a pass over the data, or over all rows of a kernel, and says what
// sweeps can only guess: how far the end is, and which examples may idle.
#pragma once

#include <algorithm>
#include <cmath>

#include "medlar/types.hpp"

namespace medlar {

// Ascent over examples: sweeps go on until what they see of the gap has fallen to this share of the last certificate's.
// On few columns the certificate tells sooner which others matter.
// The share of few columns was settled with a prototype on S1, S2, S3, dorothea and news20 at c = 5, the other was not
// measured. Measured without gain: certificates an epoch or two sooner, and none shortly before the last
// (docs/performance.md). `benchmarks/compare --data DIR --bars switches`.
constexpr double gap_for_certificate(bool on_few_columns) {
  return on_few_columns ? 0.03 : 1e-3;
}
// The most epochs between two: what sweeps see is too high once examples that idled have to come back.
// Settled with a prototype: news20 took half the epochs with it. Twelve on dense rows were measured without gain
// (docs/performance.md).
inline constexpr int kMostEpochsPerCertificate = 60;

// Ascent between classes, linear and by a kernel: so many sweeps before the first certificate, then twice as many
// whenever the gap has not halved, up to the most.
// Not measured; `build/bench/bin/bench-record write FILE --only '^(classes|kernels)/'` counts passes.
inline constexpr Index kFirstSweepsBetweenClasses = 4, kMostSweepsBetweenClasses = 64;
constexpr Index sweeps_after(Index sweeps, double gap, double gap_before) {
  return gap > 0.5 * gap_before ? std::min<Index>(2 * sweeps, kMostSweepsBetweenClasses) : sweeps;
}
// They also end when a sweep is worth this share of the first after a certificate; less by a kernel, whose certificates
// cost more.
// Not measured; the same command.
inline constexpr double kWorthOfLastSweep = 1e-2, kWorthOfLastKernelSweep = 1e-3;

// Newton over features: the J of the present multipliers is worth its logarithms when their gap is at most so many
// tolerances; that of the step's multipliers when the step promises at most this share of F.
// Measured with what else came with it: R4 at p0 = 1 1.65 s to 0.72, california 0.15 to 0.05, S4 0.59 to 0.47
// (docs/performance.md).
constexpr bool may_gap_close(double gap, double tolerance, double value) {
  return !(gap > 10 * tolerance * value);
}
constexpr bool is_close_by(double promised, double value) {
  return !(promised > 0.1 * value);
}

// Pairs of multipliers: the gap is estimated again when the violation has fallen to this share.
// Raised from 0.3 with the working sets of curved margins; by itself not measured (`build/bench/bin/bench-kernels
// DATA`).
inline constexpr double kViolationForALook = 0.8;

// Rounds of working sets that are worth a certificate to fall back on should the end be asked for, in its work: few for
// the first after that of the empty model, twice as many for each further one, up to ten.
// Not measured by itself; what a long fit spends on such certificates is at most a tenth of its time.
inline double work_for_certificate(double certificates_before) {
  return std::min(10.0, 2.5 * std::exp2(certificates_before));
}
// The same for Newton from a fit of low rank.
inline constexpr double kWorkForCertificateOfLowRank = 10;

}  // namespace medlar
