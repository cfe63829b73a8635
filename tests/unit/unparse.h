// Prints a syntax tree as Python with every operator parenthesised, for tests.
#pragma once

#include "core/syntax/ast.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <string>

namespace tilescope::ast {

inline std::string unparse(const Expr *expr);

template <typename List> std::string unparseList(const List &list, llvm::StringRef separator) {
  std::string out;
  for (const auto &item : list)
    out += (out.empty() ? "" : separator.str()) + unparse(item);
  return out;
}

inline std::string quote(llvm::StringRef text, bool isBytes) {
  std::string out = isBytes ? "b'" : "'";
  for (char c : text) {
    if (c == '\\' || c == '\'')
      out += '\\';
    if (c == '\n')
      out += "\\n";
    else if (static_cast<unsigned char>(c) < 32 || c == 127 || (isBytes && (c & 0x80)))
      out += "\\x" + llvm::toHex(llvm::StringRef(&c, 1), true);
    else
      out += c;
  }
  return out + "'";
}

inline std::string unparse(const Param &param) {
  std::string out = param.kind == ParamKind::VarArgs       ? "*"
                    : param.kind == ParamKind::KeywordArgs ? "**"
                                                           : "";
  out += param.name;
  if (param.annotation)
    out += ": " + unparse(param.annotation);
  if (param.defaultValue)
    out += "=" + unparse(param.defaultValue);
  return out;
}

inline std::string unparse(llvm::ArrayRef<Param> params) {
  std::string out;
  bool sawStar = false;
  for (size_t i = 0; i < params.size(); ++i) {
    if (i != 0)
      out += ", ";
    sawStar |= params[i].kind == ParamKind::VarArgs;
    if (params[i].kind == ParamKind::KeywordOnly && !sawStar) {
      out += "*, ";
      sawStar = true;
    }
    out += unparse(params[i]);
    if (params[i].kind == ParamKind::PositionalOnly &&
        (i + 1 == params.size() || params[i + 1].kind != ParamKind::PositionalOnly))
      out += ", /";
  }
  return out;
}

inline std::string unparse(const Keyword &keyword) {
  return (keyword.name.empty() ? "**" : keyword.name.str() + "=") + unparse(keyword.value);
}

inline std::string unparse(const DictItem &item) {
  return item.key ? unparse(item.key) + ": " + unparse(item.value) : "**" + unparse(item.value);
}

inline std::string unparseFStringBody(const FStringExpr &string) {
  std::string out;
  for (const FStringPart &part : string.parts) {
    if (!part.expr) {
      for (char c : part.text)
        out += c == '{' ? "{{" : c == '}' ? "}}" : c == '\n' ? "\\n" : std::string(1, c);
      continue;
    }
    out += "{" + unparse(part.expr);
    if (part.conversion)
      out += std::string("!") + part.conversion;
    if (part.spec)
      out += ":" + unparseFStringBody(*llvm::cast<FStringExpr>(part.spec));
    out += "}";
  }
  return out;
}

inline std::string unparse(const ComprehensionExpr &expr) {
  bool isList = expr.form == ComprehensionKind::List;
  bool isGenerator = expr.form == ComprehensionKind::Generator;
  std::string out = isList ? "[" : isGenerator ? "(" : "{";
  out += unparse(expr.element) + (expr.value ? ": " + unparse(expr.value) : "");
  for (const ComprehensionClause &clause : expr.clauses) {
    out += " for " + unparse(clause.target) + " in " + unparse(clause.iter);
    for (const Expr *condition : clause.conditions)
      out += " if " + unparse(condition);
  }
  return out + (isList ? "]" : isGenerator ? ")" : "}");
}

inline std::string unparseCompare(const CompareExpr &expr) {
  std::string out = "(" + unparse(expr.operands[0]);
  for (size_t i = 0; i < expr.ops.size(); ++i)
    out += " " + spelling(expr.ops[i]).str() + " " + unparse(expr.operands[i + 1]);
  return out + ")";
}

inline std::string unparseCall(const CallExpr &call) {
  std::string args = unparseList(call.args, ", ");
  std::string keywords = unparseList(call.keywords, ", ");
  return unparse(call.callee) + "(" + args + (args.empty() || keywords.empty() ? "" : ", ") +
         keywords + ")";
}

inline std::string unparseIndex(const Expr *index) {
  const auto *tuple = llvm::dyn_cast<TupleExpr>(index);
  if (!tuple || tuple->elements.empty())
    return unparse(index);
  return unparseList(tuple->elements, ", ") + (tuple->elements.size() == 1 ? "," : "");
}

inline std::string unparse(const Expr *expr) {
  static constexpr llvm::StringRef Unary[] = {"not ", "-", "+", "~"};
  auto optional = [](const Expr *e) { return e ? unparse(e) : std::string(); };
  return llvm::TypeSwitch<const Expr *, std::string>(expr)
      .Case([](const NameExpr *e) { return e->name.str(); })
      .Case([](const NoneExpr *) { return "None"; })
      .Case([](const EllipsisExpr *) { return "..."; })
      .Case([](const BoolExpr *e) { return e->value ? "True" : "False"; })
      .Case([](const IntExpr *e) { return e->fits ? std::to_string(e->magnitude) : e->text.str(); })
      .Case([](const FloatExpr *e) {
        std::string out;
        llvm::raw_string_ostream(out) << llvm::format("%.17g", e->value);
        bool isWhole = llvm::StringRef(out).find_first_of(".en") == llvm::StringRef::npos;
        return isWhole ? out + ".0" : out == "inf" ? "1e999" : out;
      })
      .Case([](const StringExpr *e) { return quote(e->value, e->isBytes); })
      .Case([](const FStringExpr *e) { return "f'''" + unparseFStringBody(*e) + "'''"; })
      .Case([](const TupleExpr *e) {
        return "(" + unparseList(e->elements, ", ") + (e->elements.size() == 1 ? ",)" : ")");
      })
      .Case([](const ListExpr *e) { return "[" + unparseList(e->elements, ", ") + "]"; })
      .Case([](const SetExpr *e) { return "{" + unparseList(e->elements, ", ") + "}"; })
      .Case([](const DictExpr *e) { return "{" + unparseList(e->items, ", ") + "}"; })
      .Case([](const UnaryExpr *e) {
        return "(" + Unary[static_cast<size_t>(e->op)].str() + unparse(e->operand) + ")";
      })
      .Case([](const BinaryExpr *e) {
        return "(" + unparse(e->lhs) + " " + spelling(e->op).str() + " " + unparse(e->rhs) + ")";
      })
      .Case([](const BoolOpExpr *e) {
        return "(" + unparseList(e->operands, e->isAnd ? " and " : " or ") + ")";
      })
      .Case([](const CompareExpr *e) { return unparseCompare(*e); })
      .Case([](const ConditionalExpr *e) {
        return "(" + unparse(e->then) + " if " + unparse(e->condition) + " else " +
               unparse(e->otherwise) + ")";
      })
      .Case([](const LambdaExpr *e) {
        return "(lambda " + unparse(e->params) + ": " + unparse(e->body) + ")";
      })
      .Case([](const ComprehensionExpr *e) { return unparse(*e); })
      .Case([](const CallExpr *e) { return unparseCall(*e); })
      .Case([](const AttributeExpr *e) {
        bool isInt = llvm::isa<IntExpr>(e->object);
        return (isInt ? "(" : "") + unparse(e->object) + (isInt ? ")." : ".") + e->name.str();
      })
      .Case([](const SubscriptExpr *e) {
        return unparse(e->object) + "[" + unparseIndex(e->index) + "]";
      })
      .Case([&](const SliceExpr *e) {
        return optional(e->start) + ":" + optional(e->stop) + (e->step ? ":" : "") +
               optional(e->step);
      })
      .Case([](const StarredExpr *e) { return "*" + unparse(e->value); })
      .Case([](const WalrusExpr *e) {
        return "(" + e->name.str() + " := " + unparse(e->value) + ")";
      })
      .Default([](const Expr *) { return "?"; });
}

// The brackets say what kind of pattern it is, whatever the source wrote.
inline std::string unparse(const Pattern &pattern) {
  using Kind = Pattern::Kind;
  std::string name = pattern.name.empty() ? "_" : pattern.name.str();
  std::vector<std::string> parts;
  for (const Pattern *part : pattern.parts)
    parts.push_back(unparse(*part));
  switch (pattern.kind) {
  case Kind::Value:
    return unparse(pattern.value);
  case Kind::Capture:
    return name;
  case Kind::Star:
    return "*" + name;
  case Kind::Sequence:
    return "[" + llvm::join(parts, ", ") + "]";
  case Kind::Or:
    return "(" + llvm::join(parts, " | ") + ")";
  case Kind::As:
    return parts[0] + " as " + name;
  case Kind::Mapping:
    for (size_t i = 0; i < parts.size(); ++i)
      parts[i] = unparse(pattern.keys[i]) + ": " + parts[i];
    if (!pattern.name.empty())
      parts.push_back("**" + name);
    return "{" + llvm::join(parts, ", ") + "}";
  case Kind::Class:
    for (size_t i = 0; i < pattern.keywords.size(); ++i) {
      std::string &part = parts[parts.size() - pattern.keywords.size() + i];
      part.insert(0, pattern.keywords[i].str() + "=");
    }
    return unparse(pattern.value) + "(" + llvm::join(parts, ", ") + ")";
  }
  return "?";
}

} // namespace tilescope::ast
