// What `run --format json` prints.
#pragma once

#include "core/json/archive.h"

namespace tilescope {

struct RunReport {
  struct Launch {
    std::string kernel;
    std::vector<int64_t> grid; // x, y, z
    int64_t threads = 0;
    int64_t sharedBytes = 0;
    int64_t registers = 0;
    int64_t localBytes = 0;
  };
  // Numbers that are not finite are null: JSON has no infinity and no NaN.
  struct Check {
    std::string tensor;
    bool passed = false;
    std::string verdict;
    int64_t compared = 0;
    int64_t wrong = 0;
    int64_t nanPairs = 0;
    int64_t overwritten = 0;
    bool sample = false;
    double tolerance = 0;
    std::optional<double> rms;
    std::optional<double> maxErrorOverRms;
    std::vector<int64_t> worstIndex;
    std::optional<double> got;
    std::optional<double> expected;
  };
  struct Time {
    double medianMs = 0;
    double minMs = 0;
    int64_t runs = 0;
    int64_t sets = 0;
    double gemmFlop = 0;
    double teraflops = 0;
    double parameterGigabytesPerSecond = 0;

    friend bool operator==(const Time &, const Time &) = default;
  };
  std::string device;
  std::string architecture;
  std::string compiler;
  std::string target;
  std::vector<Launch> launches;
  std::vector<Check> checks;
  std::string notLaunched;
  std::string verdict; // of all outputs; "": they were not compared
  std::optional<Time> time;
};

template <typename Archive> void fields(Archive &archive, RunReport::Launch &launch) {
  archive.always("kernel", launch.kernel);
  archive.always("grid", launch.grid);
  archive.always("threads", launch.threads);
  archive.always("sharedBytes", launch.sharedBytes);
  archive.always("registers", launch.registers);
  archive.always("localBytes", launch.localBytes);
}

template <typename Archive> void fields(Archive &archive, RunReport::Check &check) {
  archive.always("tensor", check.tensor);
  archive.always("passed", check.passed);
  archive.always("verdict", check.verdict);
  archive.always("compared", check.compared);
  archive.always("wrong", check.wrong);
  archive.always("nanPairs", check.nanPairs);
  archive.always("overwritten", check.overwritten);
  archive.always("sample", check.sample);
  archive.always("tolerance", check.tolerance);
  archive.always("rms", check.rms);
  archive.always("maxErrorOverRms", check.maxErrorOverRms);
  archive.always("worstIndex", check.worstIndex);
  archive.always("got", check.got);
  archive.always("expected", check.expected);
}

template <typename Archive> void fields(Archive &archive, RunReport::Time &time) {
  archive.always("medianMs", time.medianMs);
  archive.always("minMs", time.minMs);
  archive.always("runs", time.runs);
  archive.always("sets", time.sets);
  archive.always("gemmFlop", time.gemmFlop);
  archive.always("teraflops", time.teraflops);
  archive.always("parameterGigabytesPerSecond", time.parameterGigabytesPerSecond);
}

template <typename Archive> void fields(Archive &archive, RunReport &report) {
  archive.always("device", report.device);
  archive.always("architecture", report.architecture);
  archive.always("compiler", report.compiler);
  archive.always("target", report.target);
  archive.always("launches", report.launches);
  archive.always("checks", report.checks);
  archive("notLaunched", report.notLaunched);
  archive("verdict", report.verdict);
  archive("time", report.time);
}

} // namespace tilescope
