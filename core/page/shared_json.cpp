#include "core/page/shared_json.h"

#include "core/json/json_value.h"

#include "llvm/ADT/StringMap.h"

namespace tilescope {

namespace {

// Shorter ones are no longer than what would stand for them.
constexpr size_t LeastPartBytes = 16;

class SharedJsonWriter {
public:
  std::string write(const Json &value) {
    size_t root = idOf(value);
    std::string text = textOf(root);
    return "{\"parts\":[" + parts_ + "],\"root\":" + text + "}";
  }

private:
  // A value, among those that differ.
  struct Node {
    std::vector<std::string> names; // of an object: "\"begin\":"; else empty
    std::vector<size_t> children;   // ids
    std::string scalar;             // ""; it is an object or an array
    bool isObject = false;
    size_t useCount = 0; // by other nodes
    int64_t part = -1;   // index; -1: it is none
  };

  static std::string dump(const Json &value) {
    return value.dump(-1, ' ', false, Json::error_handler_t::replace);
  }

  size_t idOf(const Json &value) {
    Node node{.isObject = value.is_object()};
    if (!value.is_structured()) {
      node.scalar = dump(value);
      std::string key = node.scalar;
      return add(key, std::move(node));
    }
    std::string key = node.isObject ? "{" : "[";
    for (const auto &[name, child] : value.items()) {
      if (node.isObject)
        node.names.push_back(dump(name) + ":");
      node.children.push_back(idOf(child));
      key += (node.isObject ? node.names.back() : "") + std::to_string(node.children.back()) + ",";
    }
    return add(key, std::move(node));
  }

  size_t add(llvm::StringRef key, Node node) {
    auto [found, isNew] = ids_.try_emplace(key, nodes_.size());
    if (!isNew)
      return found->second;
    for (size_t child : node.children)
      ++nodes_[child].useCount;
    nodes_.push_back(std::move(node));
    return found->second;
  }

  std::string textOf(size_t id) {
    if (nodes_[id].part >= 0)
      return nameOf(nodes_[id]);
    std::string text = wholeTextOf(id);
    if (nodes_[id].useCount < 2 || text.size() < LeastPartBytes)
      return text;
    nodes_[id].part = partCount_++;
    parts_ += (nodes_[id].part ? "," : "") + text;
    return nameOf(nodes_[id]);
  }

  static std::string nameOf(const Node &node) {
    return "{\"$\":" + std::to_string(node.part) + "}";
  }

  std::string wholeTextOf(size_t id) {
    if (!nodes_[id].scalar.empty())
      return nodes_[id].scalar;
    std::string text;
    for (size_t i = 0; i != nodes_[id].children.size(); ++i) {
      text += i ? "," : "";
      text += nodes_[id].isObject ? nodes_[id].names[i] : "";
      text += textOf(nodes_[id].children[i]);
    }
    return nodes_[id].isObject ? "{" + text + "}" : "[" + text + "]";
  }

  llvm::StringMap<size_t> ids_; // by what a value is written as, with ids for its children
  std::vector<Node> nodes_;
  std::string parts_;
  int64_t partCount_ = 0;
};

} // namespace

std::string sharedJson(const Json &value) { return SharedJsonWriter().write(value); }

} // namespace tilescope
