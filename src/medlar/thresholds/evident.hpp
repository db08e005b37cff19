// Which features of one fit stand out by themselves?
#pragma once

namespace medlar {

// The probability that chance lets any feature of pure noise stand out.
// Not measured: sqrt(2 log n) instead, a level of about 1/4 with few features, took 0.2 features of noise.
inline constexpr double kLevelOfEvidence = 0.05;

// |coefficient| x sd is at least this share of the largest.
// Measured: over 25 settings of 50 to 1,000 features and five values of p0 F1 is .45 of classes and .60 of numbers;
// inclusion above 1/2 has .07 at best.
inline constexpr double kLeastShareOfLargest = 0.25;

// Residuals of numbers are cut at so many standard deviations, which the median deviation tells.
// Not measured.
inline constexpr double kCutAtSds = 2.5, kSdPerMedianDeviation = 1.4826;

}  // namespace medlar
