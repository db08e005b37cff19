// medlar list: every option with its values, default and meaning, from the library's table of options.
#include <fmt/format.h>

#include <array>
#include <memory>

#include "output.hpp"

namespace medlar::cli {
namespace {

struct ListFlags {
  bool markdown = false;
};

struct Section {
  std::string_view title, option;
};
constexpr std::array sections{Section{"Margins", "margin"}, Section{"Priors", "prior"}, Section{"Families", "family"},
                              Section{"Solvers", "solver"}};

struct Chapter {
  std::string_view name, title;
};
constexpr std::array chapters{Chapter{"model", "Model"}, Chapter{"generative", "Generative models"},
                              Chapter{"latent", "Latent variables"}, Chapter{"data", "Preparation"},
                              Chapter{"solver", "Solver"}};

Json words_json(std::string_view option) {
  Json list = Json::array();
  for (const Word& word : words(option)) list.push_back({{"name", word.name}, {"meaning", word.meaning}});
  return list;
}

Json list_json() {
  Json table = Json::array();
  for (const Option& option : options()) {
    Json entry = {{"name", option.name},
                  {"values", option.values},
                  {"default", option.fallback},
                  {"meaning", option.meaning},
                  {"chapter", option.chapter}};
    if (!words(option.name).empty()) entry["words"] = words_json(option.name);
    table.push_back(std::move(entry));
  }
  return {{"status", "ok"},
          {"margins", words_json("margin")},
          {"priors", words_json("prior")},
          {"families", words_json("family")},
          {"solvers", words_json("solver")},
          {"options", table}};
}

std::string list_text() {
  std::string text;
  for (const Section& section : sections) {
    text += fmt::format("{}\n", section.title);
    for (const Word& word : words(section.option)) text += fmt::format("  {:<14}{}\n", word.name, word.meaning);
    text += "\n";
  }
  for (const Chapter& chapter : chapters) {
    text += fmt::format("Options: {}\n", chapter.title);
    for (const Option& option : options()) {
      if (option.chapter != chapter.name) continue;
      text += fmt::format("  --{:<18}{}\n{:22}takes {}; default {}\n", option.name, option.meaning, "", option.values,
                          option.fallback);
    }
    text += "\n";
  }
  text.pop_back();
  return text;
}

// A cell of a table in Markdown, where a bar would end it.
std::string cell(std::string_view text) {
  std::string safe;
  for (const char each : text) safe += each == '|' ? std::string("\\|") : std::string(1, each);
  return safe;
}

std::string list_markdown() {
  std::string text =
      "# Options\n\n"
      "What `medlar train` and `medlar tune` take, with its default. `medlar list --markdown` writes this page.\n";
  for (const Chapter& chapter : chapters) {
    text += fmt::format("\n## {}\n\n| option | takes | default | meaning |\n|---|---|---|---|\n", chapter.title);
    for (const Option& option : options()) {
      if (option.chapter != chapter.name) continue;
      text += fmt::format("| `--{}` | {} | {} | {} |\n", option.name, cell(option.values), cell(option.fallback),
                          cell(option.meaning));
    }
  }
  for (const Section& section : sections) {
    text += fmt::format("\n## {}\n\n| name | meaning |\n|---|---|\n", section.title);
    for (const Word& word : words(section.option))
      text += fmt::format("| `{}` | {} |\n", word.name, cell(word.meaning));
  }
  return text;
}

}  // namespace

void add_list(CLI::App& program, Command& chosen) {
  CLI::App* command = program.add_subcommand("list", "List every margin, prior, solver and option with its default");
  auto flags = std::make_shared<ListFlags>();
  command->add_flag("--markdown", flags->markdown, "as the page docs/options.md");
  command->callback([flags, &chosen] {
    chosen = [flags](const Globals& globals) {
      if (globals.json) {
        print_json(list_json());
      } else {
        print(flags->markdown ? list_markdown() : list_text());
      }
      return static_cast<int>(ok);
    };
  });
}

}  // namespace medlar::cli
