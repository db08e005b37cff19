// medlar reproduce [NAME...] -o FOLDER: the figures and tables of the paper, made again.
#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <memory>
#include <set>

#include "checks.hpp"
#include "medlar/paper.hpp"
#include "output.hpp"
#include "progress.hpp"

namespace medlar::cli {
namespace {

struct ReproduceFlags {
  std::vector<std::string> names;
  std::string output = "reproduction", data = "data";
  PaperOptions paper;
};

Json exhibit_json(const Exhibit& exhibit) {
  Json claims = Json::array(), tables = Json::object(), charts = Json::object();
  for (const Claim& claim : exhibit.claims) {
    claims.push_back(
        {{"paper", claim.paper}, {"verdict", claim.verdict}, {"evidence", claim.evidence}, {"source", claim.source}});
  }
  for (const ResultTable& table : exhibit.tables) {
    Json rows = Json::array();
    for (const ResultTable::Row& row : table.rows) {
      Json cells = Json::array({row.label});
      for (const auto& value : row.values) cells.push_back(value ? json_number(*value) : Json(nullptr));
      rows.push_back(std::move(cells));
    }
    tables[table.name] = {{"columns", table.columns}, {"rows", std::move(rows)}};
  }
  for (const Chart& chart : exhibit.charts) {
    Json series = Json::array();
    for (const Series& each : chart.series) series.push_back({{"name", each.name}, {"x", each.x}, {"y", each.y}});
    charts[chart.name] = {
        {"title", chart.title}, {"x", chart.x_label}, {"y", chart.y_label}, {"series", std::move(series)}};
  }
  return {{"name", exhibit.name},        {"title", exhibit.title},     {"paper", exhibit.paper},
          {"ours", exhibit.ours},        {"skipped", exhibit.skipped}, {"claims", std::move(claims)},
          {"tables", std::move(tables)}, {"charts", std::move(charts)}};
}

std::string quoted(const std::string& text) {
  return text.find_first_of(",\"") == text.npos ? text : "\"" + text + "\"";  // no label holds a quote
}

std::string table_csv(const ResultTable& table) {
  std::string text;
  for (const std::string& column : table.columns) text += (text.empty() ? "" : ",") + quoted(column);
  text += "\n";
  for (const ResultTable::Row& row : table.rows) {
    text += quoted(row.label);
    for (const auto& value : row.values) text += value ? fmt::format(",{}", *value) : ",";
    text += "\n";
  }
  return text;
}

std::string chart_csv(const Chart& chart) {
  std::string text = "series,x,y\n";
  for (const Series& series : chart.series) {
    for (std::size_t k = 0; k < series.x.size(); ++k) {
      text += fmt::format("{},{},{}\n", quoted(series.name), series.x[k], series.y[k]);
    }
  }
  return text;
}

// Every file of an exhibit, each whole or not at all.
void write_exhibit(const std::filesystem::path& folder, const Exhibit& exhibit) {
  for (const Chart& chart : exhibit.charts) {
    write_file_atomically(folder / (chart.name + ".svg"), chart_svg(chart));
    write_file_atomically(folder / (chart.name + ".csv"), chart_csv(chart));
  }
  for (const ResultTable& table : exhibit.tables) {
    write_file_atomically(folder / (table.name + "-numbers.csv"), table_csv(table));
  }
  write_file_atomically(folder / (exhibit.name + ".json"), exhibit_json(exhibit).dump(1) + "\n");
}

std::vector<std::string> chosen_names(const ReproduceFlags& flags) {
  const std::vector<std::string> all = exhibit_names();
  std::set<std::string> wanted;
  for (const std::string& name : flags.names) {
    if (name == "all")
      wanted.insert(all.begin(), all.end());
    else if (name == "sinc")
      wanted.insert("figure3");
    else if (std::find(all.begin(), all.end(), name) != all.end())
      wanted.insert(name);
    else
      throw OptionError(fmt::format(
          "'{}' is no figure or table of the paper; give all, sinc, figure1 to figure9, table1 or table2", name));
  }
  std::vector<std::string> ordered;
  for (const std::string& name : all) {
    if (wanted.empty() || wanted.count(name) > 0) ordered.push_back(name);
  }
  return ordered;
}

int reproduce_paper(const Globals& globals, ReproduceFlags& flags) {
  const std::vector<std::string> names = chosen_names(flags);
  Settings read;  // --seed and --threads, checked as options are
  if (!globals.seed.empty()) set_option(read, "seed", globals.seed);
  if (!globals.threads.empty()) set_option(read, "threads", globals.threads);
  flags.paper.seed = read.seed;
  flags.paper.threads = read.threads;
  flags.paper.splice = flags.data + "/splice.csv";
  flags.paper.boston = flags.data + "/boston.csv";
  std::error_code fault;
  std::filesystem::create_directories(flags.output, fault);
  if (fault) throw DataError(fmt::format("{}: the folder cannot be made: {}", flags.output, fault.message()));
  Progress progress(globals);
  std::vector<Exhibit> exhibits;
  Json listed = Json::array();
  for (const std::string& name : names) {
    talk(globals, fmt::format("{} ...", name));
    auto exhibit = reproduce(name, flags.paper, &progress);
    if (!exhibit) {
      if (globals.json) print_json({{"status", "interrupted"}, {"message", "interrupted in " + name}});
      talk(globals, fmt::format("interrupted in {}; what was finished is in {}", name, flags.output));
      return interrupted;
    }
    write_exhibit(flags.output, *exhibit);
    if (!exhibit->skipped.empty()) talk(globals, exhibit->skipped);
    Json said = exhibit_json(*exhibit);
    said.erase("charts");
    listed.push_back(std::move(said));
    exhibits.push_back(std::move(*exhibit));
  }
  const std::string page = (std::filesystem::path(flags.output) / "index.html").string();
  write_file_atomically(page, paper_page(exhibits));
  if (globals.json) {
    print_json({{"status", "ok"}, {"output", flags.output}, {"page", page}, {"exhibits", std::move(listed)}});
    return ok;
  }
  std::string verdicts;
  for (const Exhibit& exhibit : exhibits) {
    for (const Claim& claim : exhibit.claims) {
      verdicts += fmt::format("{:<8} {}\n         {}\n", exhibit.name, claim.paper, claim.verdict);
    }
  }
  if (!globals.quiet) print(verdicts);
  if (flags.paper.quick) talk(globals, "note: three splits are too few to judge by; leave out --quick for evidence");
  talk(globals, fmt::format("the paper beside ours: {}", page));
  return ok;
}

}  // namespace

void add_reproduce(CLI::App& program, Command& chosen) {
  CLI::App* command = program.add_subcommand(
      "reproduce", "Make the figures and tables of the paper again, with verdicts on its claims");
  auto flags = std::make_shared<ReproduceFlags>();
  command->add_option("NAME", flags->names, "all, sinc, figure1 to figure9, table1, table2 [default: all]");
  command->add_option("-o,--output", flags->output, "folder to write into [default: reproduction]")
      ->type_name("FOLDER");
  command->add_option("--data", flags->data, "folder with splice.csv and boston.csv [default: data]")
      ->type_name("FOLDER");
  command
      ->add_option("--nci60", flags->paper.nci60,
                   "NCI60 expression data for table 2: CSV, a row per cell line, its tissue in column class; without "
                   "it table 2 is skipped")
      ->type_name("FILE");
  command->add_option("--splits", flags->paper.splits, "random splits into training and test data [default: 50]")
      ->type_name("N")
      ->check(number_from(2, 100000));
  command->add_flag("--quick", flags->paper.quick, "3 splits, to see that everything runs");
  command->callback(
      [flags, &chosen] { chosen = [flags](const Globals& globals) { return reproduce_paper(globals, *flags); }; });
}

}  // namespace medlar::cli
