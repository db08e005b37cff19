// The table of words: every enumerator is written as its word and read back from it.
#include <gtest/gtest.h>

#include <set>

#include "medlar/settings.hpp"

namespace medlar {
namespace {

// The first `count` enumerators, and how many of them have a word.
template <class Kind>
void expect_words(int count, int with_word) {
  const std::string_view option = option_of(Kind{});
  std::set<std::string_view> seen;
  for (int k = 0; k < count; ++k) {
    const auto kind = static_cast<Kind>(k);
    const std::string_view word = word_of(kind);
    if (read_word<Kind>(word) != kind) continue;
    EXPECT_TRUE(seen.insert(word).second) << option << " has '" << word << "' twice";
  }
  EXPECT_EQ(std::ssize(seen), with_word) << option;
  EXPECT_EQ(word_of(static_cast<Kind>(count)), "") << option;
  EXPECT_EQ(read_word<Kind>("no such word"), std::nullopt) << option;
  for (const Word& word : words(option)) {
    EXPECT_FALSE(word.meaning.empty()) << option << " " << word.name;
    EXPECT_TRUE(word.name.starts_with(word_of(static_cast<Kind>(word.enumerator)))) << option << " " << word.name;
  }
}

TEST(Vocabulary, EveryEnumeratorIsReadBackFromItsWord) {
  expect_words<Task>(4, 4);
  expect_words<ModelKind>(4, 4);
  expect_words<KernelKind>(5, 5);
  expect_words<Multiclass>(2, 2);
  expect_words<MarginKind>(9, 9);
  expect_words<PriorKind>(5, 5);
  expect_words<GroupsKind>(3, 3);
  expect_words<BiasKind>(4, 3);         // a variance stands in a word's place
  expect_words<ClassWeightKind>(3, 2);  // and so do label:weight,...
  expect_words<FamilyKind>(10, 9);      // column:family,...
  expect_words<BalanceKind>(3, 2);      // and a share
  expect_words<Offsets>(2, 2);
  expect_words<SwitchKind>(3, 3);
  expect_words<SwitchEvidence>(2, 2);
  expect_words<CalibrationScores>(2, 2);
  expect_words<LatentKind>(6, 6);
  expect_words<LatentMode>(2, 2);
  expect_words<StatePath>(5, 5);
  expect_words<StateStatistics>(5, 5);
  expect_words<ExpansionKind>(5, 5);
  expect_words<TransformKind>(4, 4);
  expect_words<SelectedBy>(5, 5);
  expect_words<KnockoffKind>(2, 2);
  expect_words<CurveKind>(3, 3);
  expect_words<ListMaker>(4, 4);
  expect_words<Swept>(3, 3);
  expect_words<ScaleKind>(4, 4);
  expect_words<ValuePrecision>(2, 2);
  expect_words<GramPrecision>(2, 2);
  expect_words<SolverKind>(7, 7);
  expect_words<LineSearch>(2, 2);
}

TEST(Vocabulary, TextsThatAreNoWordStayAsTheyWereWritten) {
  Settings settings;
  for (const auto& [option, text] : {std::pair{"bias", "1.0"},
                                     {"bias", "2.50"},
                                     {"balance", "0.30"},
                                     {"class-weight", "a:1.0,b:2"},
                                     {"family", "x:poisson,a:b:gaussian-full"},
                                     {"latent", "shifts:02"},
                                     {"latent", "alignment:2,4"},
                                     {"latent", "labels"},
                                     {"latent", ""},
                                     {"state-path", "file:a:b.csv"},
                                     {"expand", "nystrom:40"}}) {
    set_option(settings, option, text);
    EXPECT_EQ(find_option(option).get(settings), text);
  }
}

TEST(Vocabulary, AProgramMaySetANumberInAWordsPlace) {
  Settings settings;
  settings.bias = {BiasKind::variance, 0.25};
  EXPECT_EQ(find_option("bias").get(settings), "0.25");
  settings.bias = BiasKind::flat;
  EXPECT_EQ(settings.bias, BiasKind::flat);
  EXPECT_EQ(find_option("bias").get(settings), "flat");
}

}  // namespace
}  // namespace medlar
