// What `language --format json` prints.
#pragma once

#include "core/frontend/language_names.h"
#include "core/json/archive.h"

namespace tilescope {

template <typename Archive> void fields(Archive &archive, LanguageName &name) {
  archive.always("name", name.name);
  archive.always("works", name.works);
  archive("parameters", name.parameters);
  archive("targets", name.targets);
  archive("instead", name.instead);
  archive("ignoredFor", name.ignoredFor);
}

} // namespace tilescope
