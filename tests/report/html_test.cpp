// The page about a model: complete, escaped, and with the pictures that its data allows.
#include "medlar/html.hpp"

#include <gtest/gtest.h>

#include "medlar/report/html_text.hpp"
#include "medlar/report/plots.hpp"
#include "model/models.hpp"

namespace medlar {
namespace {

int count(const std::string& text, const std::string& part) {
  int found = 0;
  for (auto at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++found;
  return found;
}

TEST(Html, TextIsEscaped) {
  EXPECT_EQ(html_escaped("<a href=\"x\">&'\x1b"), "&lt;a href=&quot;x&quot;&gt;&amp;&#39; ");
}

TEST(Html, TellsTheFitTheCertificateAndTheFeatures) {
  Model model = tests::awkward_model();
  model.features[0].name = "<age>";
  const std::string page = html_report(model);
  EXPECT_NE(page.find("stopped: 20 passes reached"), page.npos);
  EXPECT_NE(page.find("&lt;age&gt;"), page.npos);
  EXPECT_EQ(page.find("<age>"), page.npos);
  EXPECT_EQ(page.find("<script"), page.npos);
  EXPECT_EQ(page.find("http"), page.npos);
  EXPECT_EQ(page.find("Predictions"), page.npos);
  EXPECT_EQ(count(page, "class=\"whisker\""), 4);
}

TEST(Html, ShowsTheTopFeaturesByInclusion) {
  const std::string page = html_report(tests::awkward_model(), nullptr, 1);
  EXPECT_EQ(count(page, "class=\"whisker\""), 1);
  EXPECT_NE(page.find("caf\xc3\xa9"), page.npos);  // inclusion 1
}

TEST(Html, DrawsARocCurveOrDots) {
  Dataset data;
  data.source = "new.csv";
  data.x = Matrix::dense(4, 1, {1, 2, -1, -2});
  data.target = {true, true, {1, 1, 0, 1}, {}, {}};
  Model model = tests::plain_model({{"a", 1, 1, 0.5, -1}});
  EXPECT_EQ(count(html_report(model, &data), "<polyline"), 1);
  data.target.values = {1, 1, 1, 1};
  EXPECT_NE(html_report(model, &data).find("no ROC curve"), std::string::npos);
  model.task = "regress";
  model.labels.clear();
  EXPECT_EQ(count(html_report(model, &data, 1), "r=\"2.5\""), 4);
}

TEST(Plots, ManyPointsAreThinnedAndTheLastIsKept) {
  std::vector<double> truth(10000);
  std::vector<Prediction> predicted(10000);
  truth.back() = predicted.back().score = 1;
  const std::string plot = scatter_plot(truth, predicted);
  EXPECT_LE(count(plot, "<circle"), 2001);
  EXPECT_NE(plot.find("cx=\"356.0\" cy=\"36.0\""), plot.npos);
}

TEST(Plots, StayInTheirFrame) {
  EXPECT_NE(inclusion_bar(0.25).find("width=\"25.00\""), std::string::npos);
  EXPECT_NE(coefficient_whisker(1, 1, 2).find("x1=\"100.00\" y1=\"6\" x2=\"196.00\""), std::string::npos);
  EXPECT_NE(coefficient_whisker(0, 0, 0).find("cx=\"100.00\""), std::string::npos);
}

}  // namespace
}  // namespace medlar
