// Every model file that was ever written (tests/zoo) is read, and nothing in it is lost when it is written again.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "medlar/model.hpp"

namespace medlar {
namespace {

using Json = nlohmann::json;

std::vector<std::filesystem::path> zoo() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(MEDLAR_DATA "/../tests/zoo/models")) {
    files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::string text_of(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// Where something of `kept` is not in `written`; empty when nothing is. Later versions may write further fields.
std::string lost(const Json& kept, const Json& written, const std::string& place = "") {
  if (kept.is_object() && written.is_object()) {
    for (const auto& [key, value] : kept.items()) {
      if (!written.contains(key)) return place + "." + key;
      if (const std::string below = lost(value, written[key], place + "." + key); !below.empty()) return below;
    }
    return {};
  }
  if (kept.is_array() && written.is_array() && kept.size() == written.size()) {
    for (std::size_t k = 0; k < kept.size(); ++k) {
      const std::string below = lost(kept[k], written[k], place + "[" + std::to_string(k) + "]");
      if (!below.empty()) return below;
    }
    return {};
  }
  return kept == written ? std::string() : place + ": " + kept.dump() + " became " + written.dump();
}

TEST(Zoo, EveryModelIsReadAndLosesNothing) {
  const auto files = zoo();
  EXPECT_GE(files.size(), 114U);
  for (const auto& file : files) {
    SCOPED_TRACE(file.filename());
    const std::string kept = text_of(file), written = to_json(load_model(file.string()));
    EXPECT_EQ(lost(Json::parse(kept), Json::parse(written)), "");
  }
}

TEST(Zoo, WhatWasWrittenAgainStaysAsItIs) {
  for (const auto& file : zoo()) {
    SCOPED_TRACE(file.filename());
    const Model model = load_model(file.string());
    const std::string written = to_json(model);
    EXPECT_EQ(to_json(model_from_json(written, "again")), written);
  }
}

TEST(Zoo, ALossIsFound) {
  const Json kept = Json::parse(R"({"a": [1, {"b": 2}], "c": "x"})");
  EXPECT_EQ(lost(kept, Json::parse(R"({"a": [1, {"b": 2, "new": 0}], "c": "x"})")), "");
  EXPECT_EQ(lost(kept, Json::parse(R"({"a": [1, {}], "c": "x"})")), ".a[1].b");
  EXPECT_EQ(lost(kept, Json::parse(R"({"a": [1, {"b": 2}], "c": "y"})")), R"(.c: "x" became "y")");
}

}  // namespace
}  // namespace medlar
