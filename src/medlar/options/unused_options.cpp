// "As it is by default" is asked of the text of an option, so that no option needs code of its own here.
#include "medlar/options/unused_options.hpp"

#include <fmt/format.h>

#include "medlar/error.hpp"
#include "medlar/options/vocabulary.hpp"

namespace medlar {

void refuse_unused(const Settings& settings, std::initializer_list<std::string_view> names, std::string_view who) {
  const Settings usual;
  for (const std::string_view name : names) {
    const Option& option = find_option(name);
    if (option.get(settings) == option.get(usual)) continue;
    throw OptionError(fmt::format("{} = {}, but {} has no use for it; leave it out", name, option.get(settings), who));
  }
}

void refuse_other_tasks(const Settings& settings) {
  if (settings.task == Task::classify) refuse_unused(settings, {"epsilon"}, "a classifier");
  if (settings.task == Task::regress) refuse_unused(settings, {"margin-location", "positive"}, "a regression");
}

}  // namespace medlar
