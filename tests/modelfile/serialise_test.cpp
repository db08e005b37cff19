// Model files: the same bits back, readable lines, and a refusal with file and field for everything that is wrong.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "medlar/error.hpp"
#include "models/models.hpp"

namespace medlar {
namespace {

using tests::awkward_model;
using Json = nlohmann::json;

std::string refusal(const std::string& text) {
  try {
    model_from_json(text, "m.json");
  } catch (const DataError& error) {
    return error.what();
  }
  return "accepted";
}

// What reading says once one change was made to a good file.
template <class Change>
std::string refusal_after(Change change) {
  Json json = Json::parse(to_json(awkward_model()));
  change(json);
  return refusal(json.dump());
}

TEST(ModelFile, ReadsBackToTheSameBits) {
  const Model model = awkward_model();
  const std::string text = to_json(model);
  const Model back = model_from_json(text, "m.json");
  EXPECT_EQ(back, model);
  EXPECT_EQ(to_json(back), text);
  EXPECT_TRUE(std::signbit(back.transforms[1].shift[1]));  // == takes -0 for 0
}

TEST(ModelFile, KeepsWhatTuningTried) {
  Model model = awkward_model();
  Tuning tuning{"auc", true, 3, 1, {}, 1, 0, 1, true};
  tuning.scores.push_back({{0.1, {}, 1.0 / 3, {}}, {0.5, 0.75, 1}, 0.75, 0.1443, 2.5, true});
  tuning.scores.push_back({{1, 3.0, {}, Ranking{1e-5, {}, 4}}, {0.875, 0.75, 1}, 0.875, NAN, 4, false, true});
  model.tuning = tuning;
  const std::string text = to_json(model);
  const Model back = model_from_json(text, "m.json");
  EXPECT_EQ(to_json(back), text);
  ASSERT_TRUE(back.tuning && back.tuning->scores.size() == 2);
  EXPECT_EQ(back.tuning->scores[0], tuning.scores[0]);
  EXPECT_TRUE(std::isnan(back.tuning->scores[1].standard_error));
  EXPECT_EQ(back.tuning->scores[1].candidate, tuning.scores[1].candidate);
  EXPECT_EQ(back.tuning->chosen, 1u);
  Json broken = Json::parse(text);
  broken["tuning"]["chosen"] = 2;
  EXPECT_NE(refusal(broken.dump()).find("tuning.chosen"), std::string::npos) << refusal(broken.dump());
  broken["tuning"]["candidates"] = Json::array();
  EXPECT_NE(refusal(broken.dump()).find("tuning.candidates is empty"), std::string::npos);
}

TEST(ModelFile, KeepsTheIndicesOfItsFeatures) {
  Model model = awkward_model();
  model.schema.columns.clear();
  model.schema.indices = {1, 3, 4294967299, 9223372036854775807};
  const std::string text = to_json(model);
  EXPECT_EQ(model_from_json(text, "m.json"), model);
  Json broken = Json::parse(text);
  broken["schema"]["indices"][1] = 1;
  EXPECT_EQ(refusal(broken.dump()), "m.json: schema.indices[1] follows 1; indices increase");
  broken["schema"]["indices"] = {0, 1, 2, 3};
  EXPECT_NE(refusal(broken.dump()).find("schema.indices[0] is 0, but must be a whole number from 1"),
            std::string::npos);
  broken["schema"]["indices"] = {1, 2, 3};
  EXPECT_EQ(refusal(broken.dump()), "m.json: schema.indices has 3 values for 4 features");
}

TEST(ModelFile, KeepsNaNAndInfinityOfTheReport) {
  Model model = awkward_model();
  model.report.objective = -HUGE_VAL;
  model.report.relative_gap = NAN;
  const Model back = model_from_json(to_json(model), "m.json");
  EXPECT_EQ(back.report.objective, -HUGE_VAL);
  EXPECT_TRUE(std::isnan(back.report.relative_gap));
  EXPECT_EQ(back.settings.max_seconds, HUGE_VAL);
}

TEST(ModelFile, KeepsNamesOfAnyBytes) {
  for (const std::string& name : {std::string("caf\xe9"),
                                  std::string("\xff\x1a"
                                              "1a"),
                                  std::string("\x1a"), std::string("a\0b", 3), std::string("\xed\xa0\x80"),
                                  std::string("\xc0\xaf"), std::string("\xe2\x82"), std::string("\xf0\x9f\x8d\x8f")}) {
    Model model = awkward_model();
    model.features[0].name = name;
    model.labels[0] = name;
    model.schema.columns[2].levels[0] = name;
    model.report.message = name;
    EXPECT_EQ(model_from_json(to_json(model), "m.json"), model);
  }
}

TEST(ModelFile, StandsOneFeaturePerLineAndSettingsAreNumbers) {
  const std::string text = to_json(awkward_model());
  EXPECT_NE(text.find("\n    {\"name\":\"colour=red\",\"inclusion\":0.25,\"coefficient\":-1.0,"), text.npos) << text;
  const Json json = Json::parse(text);
  EXPECT_EQ(json["format"], "medlar-model");
  EXPECT_EQ(json["version"], 1);
  EXPECT_EQ(json["settings"]["p0"], 1e-300);
  EXPECT_EQ(json["settings"]["max-seconds"], "inf");
}

TEST(ModelFile, IsWrittenAndReadByName) {
  const auto path = std::filesystem::temp_directory_path() / "medlar_serialise_test.json";
  save_model(awkward_model(), path);
  EXPECT_EQ(load_model(path), awkward_model());
  std::filesystem::remove(path);
  EXPECT_THROW(load_model(path), DataError);
}

TEST(ModelFile, RefusesWhatIsNoModel) {
  EXPECT_NE(refusal("{\"format\": ").find("m.json: this is no model file, for it is not JSON"), std::string::npos);
  EXPECT_NE(refusal("").find("not JSON"), std::string::npos);
  for (const char* text : {"[]", "3", "null", "{}", "{\"format\": \"else\"}"}) {
    EXPECT_NE(refusal(text).find("must be a JSON object with \"format\""), std::string::npos) << text;
  }
  EXPECT_EQ(refusal_after([](Json& j) { j["version"] = 2; }),
            "m.json: version is 2, but this medlar reads up to 1; use a newer medlar");
}

TEST(ModelFile, EveryMissingFieldIsNamed) {
  const Json whole = Json::parse(to_json(awkward_model()));
  std::vector<Json::json_pointer> fields;
  for (const auto& [key, value] : whole.items()) fields.push_back(Json::json_pointer("/" + key));
  for (const char* inner : {"/schema", "/report", "/features/3", "/report/trace/1", "/transforms/0"}) {
    for (const auto& [key, value] : whole[Json::json_pointer(inner)].items()) {
      fields.push_back(Json::json_pointer(inner) / key);
    }
  }
  int missing = 0;
  for (const auto& field : fields) {
    if (field.back() == "group") continue;       // a feature may stand alone
    if (field.back() == "typical_sd") continue;  // files without it are read as well
    Json json = whole;
    json[field.parent_pointer()].erase(field.back());
    const std::string said = refusal(json.dump());
    const bool no_format = field.back() == "format" && field.parent_pointer().empty();
    EXPECT_NE(said.find(no_format ? "\"format\"" : field.back() + " is missing"), std::string::npos) << field << said;
    ++missing;
  }
  EXPECT_GT(missing, 30);
}

TEST(ModelFile, EveryFieldOfAnotherTypeIsNamed) {
  const Json whole = Json::parse(to_json(awkward_model()));
  const Json flat = whole.flatten();
  EXPECT_GT(flat.size(), 100u);
  for (const auto& [key, value] : flat.items()) {
    const Json::json_pointer field(key);
    Json json = whole;
    json[field] = true;
    const std::string said = refusal(json.dump());
    EXPECT_TRUE(said.starts_with("m.json: ")) << key << ": " << said;
  }
}

TEST(ModelFile, RefusesWrongLengthsAndRanges) {
  EXPECT_EQ(refusal_after([](Json& j) { j["multipliers"].push_back(1); }),
            "m.json: multipliers has 4 values for 3 examples of support");
  EXPECT_EQ(refusal_after([](Json& j) { j["support"][2] = 7; }),
            "m.json: support[2] is 7, but must be a whole number from 0 to 6");
  EXPECT_EQ(refusal_after([](Json& j) { j["labels"].push_back("x"); }),
            "m.json: the model has 3 labels, but no part \"multiclass\" or \"generative\" with a score for each");
  EXPECT_EQ(refusal_after([](Json& j) { j["labels"].erase(0); }),
            "m.json: labels has 1 labels, but must have 2 to classify");
  EXPECT_EQ(refusal_after([](Json& j) { j["features"].erase(0); }),
            "m.json: features has 3 values for 4 features of the schema and its transforms");
  EXPECT_EQ(refusal_after([](Json& j) { j["transforms"][1]["shift"].push_back(0); }),
            "m.json: transforms[1].shift has 5 values for 4 features");
  EXPECT_EQ(refusal_after([](Json& j) { j["transforms"][0]["factors"][2] = {4}; }),
            "m.json: transforms[0].factors[2][0] is 4, but must be a whole number from 0 to 3");
  EXPECT_EQ(refusal_after([](Json& j) { j["features"][1]["coefficient"] = "inf"; }),
            "m.json: features[1].coefficient is inf, but must be finite");
  EXPECT_EQ(refusal_after([](Json& j) { j["features"][1]["sd"] = -1; }),
            "m.json: features[1].sd is -1, but must be >= 0");
  EXPECT_EQ(refusal_after([](Json& j) { j["features"][1]["inclusion"] = 1.5; }),
            "m.json: features[1].inclusion is 1.5, but must be <= 1");
  EXPECT_EQ(refusal_after([](Json& j) { j["features"][3]["group"] = 1; }),
            "m.json: features[3].group is 1, but must be a whole number from 0 to 0");
  EXPECT_EQ(refusal_after([](Json& j) { j["schema"]["features"] = 3; }),
            "m.json: schema has columns that make 4 features, but says 3");
  EXPECT_EQ(refusal_after([](Json& j) { j["settings"]["p0"] = 1.5; }),
            "m.json: settings.p0 cannot be used: p0 = 1.5, but must lie in (0, 1]");
  EXPECT_EQ(refusal_after([](Json& j) { j["transforms"][0]["kind"] = "fold"; }),
            "m.json: transforms[0].kind is 'fold', but must be expand, scale, fourier or nystrom");
}

}  // namespace
}  // namespace medlar
