#include "core/session/other_compile.h"

#include "core/driver/revision_compile.h"

namespace tilescope {

namespace {

OtherResult compileOther(OtherRequest asked, const StopToken &stop) {
  asked.request.stop = &stop;
  OtherResult result;
  result.revision = std::move(asked.revision);
  if (llvm::Expected<Trace> trace = compileAtRevision(std::move(asked.request), result.revision))
    result.trace = std::move(*trace);
  else
    result.error = llvm::toString(trace.takeError());
  return result;
}

} // namespace

OtherCompile::OtherCompile(std::function<void()> wake)
    : NewestRequest([](const OtherRequest &request,
                       const Task &task) { return compileOther(request, task.stop); },
                    std::move(wake)) {}

} // namespace tilescope
