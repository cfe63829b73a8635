#include "core/json/json_value.h"

namespace tilescope {

Json parseJson(const std::string &text) { return Json::parse(text); }

} // namespace tilescope
