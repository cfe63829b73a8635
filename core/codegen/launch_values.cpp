#include "core/codegen/launch_values.h"

#include "core/hopper/tensor_map.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

namespace tilescope {

namespace {

// Recursive descent over sums, products and primaries; the first error stays.
class LaunchText {
public:
  LaunchText(llvm::StringRef text, const ScalarValues &values)
      : all_(text), rest_(text), values_(values) {}

  llvm::Expected<int64_t> evaluate() {
    int64_t value = sum();
    if (error_.empty() && !rest_.ltrim().empty())
      fail("'" + rest_.str() + "' is not understood");
    if (!error_.empty())
      return llvm::createStringError("launch expression '" + all_.str() + "': " + error_);
    return value;
  }

private:
  void fail(std::string text) {
    if (error_.empty())
      error_ = std::move(text);
  }
  bool take(llvm::StringRef token) {
    rest_ = rest_.ltrim();
    return rest_.consume_front(token);
  }

  int64_t sum() {
    int64_t value = product();
    while (error_.empty()) {
      if (take("+"))
        value += product();
      else if (take("-"))
        value -= product();
      else
        break;
    }
    return value;
  }

  int64_t product() {
    int64_t value = primary();
    while (error_.empty()) {
      bool isDivision = take("//");
      bool isModulo = !isDivision && take("%");
      if (!isDivision && !isModulo) {
        if (!take("*"))
          break;
        value *= primary();
        continue;
      }
      int64_t divisor = primary();
      if (divisor == 0) {
        fail("division by zero");
        break;
      }
      int64_t quotient = llvm::divideFloorSigned(value, divisor);
      value = isDivision ? quotient : value - quotient * divisor;
    }
    return value;
  }

  int64_t primary() {
    if (take("-"))
      return -primary();
    if (take("("))
      return closed(sum());
    rest_ = rest_.ltrim();
    if (!rest_.empty() && llvm::isDigit(rest_.front())) {
      int64_t value = 0;
      if (rest_.consumeInteger(10, value))
        fail("a number is too large");
      return value;
    }
    if (take("T."))
      return call(name());
    std::string variable = name();
    auto found = values_.find(variable);
    if (found != values_.end())
      return found->second;
    fail("'" + variable + "' has no value");
    return 0;
  }

  int64_t call(const std::string &function) {
    if (!take("("))
      fail("'(' expected after T." + function);
    int64_t first = sum();
    if (function == "int32" || function == "int64")
      return closed(first);
    if (!take(","))
      fail("',' expected in T." + function);
    if (function == "cast") {
      rest_ = rest_.drop_until([](char c) { return c == ')'; });
      return closed(first);
    }
    int64_t second = sum();
    if (function != "min" && function != "max")
      fail("T." + function + " is not understood");
    return closed(function == "min" ? std::min(first, second) : std::max(first, second));
  }

  int64_t closed(int64_t value) {
    if (!take(")"))
      fail("')' expected");
    return value;
  }

  std::string name() {
    rest_ = rest_.ltrim();
    llvm::StringRef word = rest_.take_while([](char c) { return llvm::isAlnum(c) || c == '_'; });
    rest_ = rest_.drop_front(word.size());
    if (word.empty())
      fail("a value is expected before '" + rest_.str() + "'");
    return word.str();
  }

  llvm::StringRef all_;
  llvm::StringRef rest_;
  const ScalarValues &values_;
  std::string error_;
};

} // namespace

llvm::Expected<int64_t> evaluateLaunchText(llvm::StringRef text, const ScalarValues &values) {
  return LaunchText(text, values).evaluate();
}

static llvm::Error evaluateAll(llvm::ArrayRef<std::string> texts, const ScalarValues &values,
                               std::vector<uint64_t> &results) {
  for (const std::string &text : texts) {
    llvm::Expected<int64_t> value = evaluateLaunchText(text, values);
    if (!value)
      return value.takeError();
    results.push_back(static_cast<uint64_t>(*value));
  }
  return llvm::Error::success();
}

// Of an empty tensor only what a driver would refuse if it had elements.
static std::optional<std::string> refusalOf(const LaunchTensorMap &map,
                                            const TensorMapFields &fields) {
  TensorMap wanted{.dtype = parseDType(map.dtype).value_or(DType()),
                   .dims = {fields.dims.begin(), fields.dims.end()},
                   .strides = {fields.strides.begin(), fields.strides.end()},
                   .box = {fields.box.begin(), fields.box.end()},
                   .swizzle = swizzleOfSpan(map.swizzleBytes).value_or(Swizzle::None)};
  if (fields.isEmpty()) {
    for (int64_t &dim : wanted.dims)
      dim = dim == 0 ? 1 : dim;
    wanted.strides.assign(fields.strides.size(), TensorMapStrideBytes);
  }
  return tensorMapRefusal(wanted);
}

llvm::Expected<TensorMapFields> evaluateTensorMap(const LaunchTensorMap &map,
                                                  const ScalarValues &values) {
  TensorMapFields fields;
  fields.type = tensorMapTypeCode(parseDType(map.dtype).value_or(DType())).value_or(0);
  fields.box.assign(map.box.begin(), map.box.end());
  fields.swizzle = static_cast<int>(swizzleOfSpan(map.swizzleBytes).value_or(Swizzle::None));
  if (llvm::Error error = evaluateAll(map.dims, values, fields.dims))
    return error;
  if (llvm::Error error = evaluateAll(map.strides, values, fields.strides))
    return error;
  if (std::optional<std::string> refusal = refusalOf(map, fields))
    return llvm::createStringError("no copy of boxes can read '" + map.tensor + "': " + *refusal);
  return fields;
}

} // namespace tilescope
