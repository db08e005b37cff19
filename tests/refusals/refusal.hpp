// A fit that is refused, and the sentence that says why; small datasets that are not.
#pragma once

#include <string>

#include "medlar/error.hpp"
#include "models/fit_data.hpp"

namespace medlar::test {

template <class Fault, class Act>
inline void expect_sentence(Act act, const std::string& sentence) {
  try {
    act();
    ADD_FAILURE() << "nothing was thrown, but expected: " << sentence;
  } catch (const Fault& fault) {
    EXPECT_EQ(fault.what(), sentence);
  } catch (const std::exception& other) {
    ADD_FAILURE() << "another kind of error: " << other.what();
  }
}
inline void expect_data_error(const Dataset& data, const Settings& settings, const std::string& sentence) {
  expect_sentence<DataError>([&] { fit(data, settings); }, sentence);
}
inline void expect_option_error(const Dataset& data, const Settings& settings, const std::string& sentence) {
  expect_sentence<OptionError>([&] { fit(data, settings); }, sentence);
}

inline Dataset classes() {
  return dataset({{0, 1}, {1, 0}, {2, 1}, {3, 3}}, {0, 0, 1, 1});
}
inline Dataset numbers() {
  return dataset({{0, 1}, {1, 0}, {2, 1}, {3, 3}}, {0.5, 1, 2, 4});
}
inline Dataset texts() {
  Dataset data = dataset({{0, 1}, {1, 0}, {2, 1}}, {});
  data.target.numeric = false;
  data.target.labels = {"cat", "dog", "emu"};
  data.target.codes = {0, 1, 2};
  return data;
}

}  // namespace medlar::test
