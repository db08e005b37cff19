// An option that has no effect on a fit is refused, never passed over: its user meant something by it.
#pragma once

#include <initializer_list>
#include <string_view>

#include "medlar/settings.hpp"

namespace medlar {

// Refuses those of the named options that are not as they are by default; `who` has no use for them.
void refuse_unused(const Settings& settings, std::initializer_list<std::string_view> names, std::string_view who);

// Options that serve another task than settings.task, which has been resolved.
void refuse_other_tasks(const Settings& settings);

}  // namespace medlar
