// Parameters of functions and lambdas.
#include "core/syntax/grammar.h"

namespace tilescope {

using llvm::StringRef;

static bool checkParam(Parser &parser, const Parser::Params &params, const ast::Param &param) {
  for (const ast::Param &earlier : params)
    if (earlier.name == param.name) {
      parser.error(DiagId::DuplicateParameter, param.span, param.name);
      return false;
    }
  if (params.empty())
    return true;
  const ast::Param &last = params.back();
  StringRef why;
  if (last.kind == ast::ParamKind::KeywordArgs)
    why = "it follows the '**' parameter";
  else if (param.kind == ast::ParamKind::Positional && last.defaultValue && !param.defaultValue)
    why = "it has no default, but the one before it has";
  if (why.empty())
    return true;
  parser.error(DiagId::BadParameterOrder, param.span, param.name, why);
  return false;
}

// `kind` is what the next parameter without stars is.
static bool parseParam(Parser &parser, Parser::Params &params, ast::ParamKind &kind,
                       bool haveAnnotations) {
  Span start = parser.token().span;
  if (parser.accept("/")) {
    for (ast::Param &param : params)
      param.kind = ast::ParamKind::PositionalOnly;
    return true;
  }
  ast::ParamKind own = kind;
  if (parser.accept("**")) {
    own = ast::ParamKind::KeywordArgs;
  } else if (parser.accept("*")) {
    kind = ast::ParamKind::KeywordOnly;
    if (parser.token().isOp(","))
      return true;
    own = ast::ParamKind::VarArgs;
  }
  std::optional<StringRef> name = parser.expectName("a parameter name");
  if (!name)
    return false;
  ast::Param param{*name, own, nullptr, nullptr, {}};
  if (haveAnnotations && parser.accept(":") && !parseInto(parser, param.annotation))
    return false;
  if (parser.accept("=") && !parseInto(parser, param.defaultValue))
    return false;
  param.span = parser.spanSince(start);
  if (!checkParam(parser, params, param))
    return false;
  params.push_back(param);
  return true;
}

bool parseParams(Parser &parser, Parser::Params &params, StringRef closer, bool haveAnnotations) {
  ast::ParamKind kind = ast::ParamKind::Positional;
  while (!parser.token().isOp(closer)) {
    if (!parseParam(parser, params, kind, haveAnnotations))
      return false;
    if (!parser.accept(",") && !parser.token().isOp(closer)) {
      parser.expected(("',' or '" + closer + "'").str());
      return false;
    }
  }
  return true;
}

} // namespace tilescope
