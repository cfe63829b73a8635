#include "core/syntax/parser.h"

#include "tests/unit/unparse.h"

#include "llvm/ADT/STLExtras.h"

#include <gtest/gtest.h>

namespace tilescope {
namespace {

struct Parsed {
  SourceFiles files;
  Diagnostics diagnostics;
  std::unique_ptr<ast::Module> module;

  explicit Parsed(std::string text) {
    FileId file = files.add("k.py", std::move(text));
    module = parseModule(file, files, diagnostics);
  }
  // "Name@line:column text;" for each diagnostic.
  std::string errors() const {
    std::string out;
    for (const Diagnostic &diagnostic : diagnostics.all())
      out += nameOf(diagnostic.id).str() + "@" + std::to_string(diagnostic.span.line) + ":" +
             std::to_string(diagnostic.span.column) + " " + diagnostic.text + ";";
    return out;
  }
  template <typename T> const T &only() const {
    EXPECT_EQ(errors(), "");
    EXPECT_EQ(module->body.size(), 1u);
    return *llvm::cast<T>(module->body[0]);
  }
};

std::string expr(const std::string &text) {
  Parsed parsed(text);
  if (parsed.diagnostics.hasErrors())
    return parsed.errors();
  return ast::unparse(parsed.only<ast::ExprStmt>().value);
}

std::string errors(const std::string &text) { return Parsed(text).errors(); }

TEST(Parser, BindsOperatorsAsPythonDoes) {
  EXPECT_EQ(expr("a + b * c - d"), "((a + (b * c)) - d)");
  EXPECT_EQ(expr("-a ** -b ** c"), "(-(a ** (-(b ** c))))");
  EXPECT_EQ(expr("a | b ^ c & d << 1 + 2"), "(a | (b ^ (c & (d << (1 + 2)))))");
  EXPECT_EQ(expr("not a == b or c and d"), "((not (a == b)) or (c and d))");
  EXPECT_EQ(expr("0 <= i < n is not None not in s"), "(0 <= i < n is not None not in s)");
  EXPECT_EQ(expr("a if b else c if d else e"), "(a if b else (c if d else e))");
  EXPECT_EQ(expr("lambda i, *j, k=1: i // j"), "(lambda i, *j, k=1: (i // j))");
}

TEST(Parser, ReadsLiterals) {
  EXPECT_EQ(expr("0x_FF, 1_000, 0b101, 0o17, 00"), "(255, 1000, 5, 15, 0)");
  EXPECT_EQ(expr("18446744073709551615, 18446744073709551616"),
            "(18446744073709551615, 18446744073709551616)");
  EXPECT_EQ(expr("1.5, 1., .5, 1e-3, 1e999"), "(1.5, 1.0, 0.5, 0.001, 1e999)");
  EXPECT_EQ(expr("'a' \"b\" r'\\n' '\\x41\\101\\u00e4\\\n'"), "'ab\\\\nAA\xC3\xA4'");
  EXPECT_EQ(expr("b'\\xff'"), "b'\\xff'");
  EXPECT_EQ(expr("None, True, False, ..."), "(None, True, False, ...)");
}

TEST(Parser, MarksIntegersThatDoNotFit) {
  Parsed parsed("18446744073709551616");
  const auto &literal = *llvm::cast<ast::IntExpr>(parsed.only<ast::ExprStmt>().value);
  EXPECT_FALSE(literal.fits);
}

TEST(Parser, ReadsFStrings) {
  EXPECT_EQ(expr("f'a{b}c{d!r:>{w}}{{e}}' '{f}'"), "f'''a{b}c{d!r:>{w}}{{e}}{{f}}'''");
  EXPECT_EQ(expr("f'{a[\"x:}\"]} {b != c} {(d := 1)} {e=}'"),
            "f'''{a['x:}']} {(b != c)} {(d := 1)} e={e!r}'''");
}

TEST(Parser, GivesFStringExpressionsTheirPlace) {
  Parsed parsed("x = 1\ny = f'ab{x + c}'\n");
  const auto &assign = *llvm::cast<ast::AssignStmt>(parsed.module->body[1]);
  const auto &string = *llvm::cast<ast::FStringExpr>(assign.value);
  EXPECT_EQ(string.parts[1].expr->span, (Span{FileId(0), 2, 10, 2, 15}));
}

TEST(Parser, ReadsDisplaysAndComprehensions) {
  EXPECT_EQ(expr("(), (a,), [b], {}, {c}, {d: e, **f}"), "((), (a,), [b], {}, {c}, {d: e, **f})");
  EXPECT_EQ(expr("[i for i, j in x if i if j for k in i]"),
            "[i for (i, j) in x if i if j for k in i]");
  EXPECT_EQ(expr("{k: v for k, v in x}, {k for k in x}, (k for k in x)"),
            "({k: v for (k, v) in x}, {k for k in x}, (k for k in x))");
}

TEST(Parser, ReadsCallsAndSubscripts) {
  EXPECT_EQ(expr("f(a, *b, c=d, **e)"), "f(a, *b, c=d, **e)");
  EXPECT_EQ(expr("any(i for i in x)"), "any((i for i in x))");
  EXPECT_EQ(expr("T.Tensor[[M, K], dtype]"), "T.Tensor[[M, K], dtype]");
  EXPECT_EQ(expr("A[a:b, c, ::2, :][-1:]"), "A[a:b, c, ::2, :][(-1):]");
}

TEST(Parser, ReadsAKernel) {
  Parsed parsed("@tilelang.jit(out_idx=[-1])\n"
                "def f(M, *, n: int = 1, **kw) -> None:  # why\n"
                "    'doc'\n"
                "    A: T.Tensor((M,), 'float16')\n"
                "    with T.Kernel(M, threads=128) as (bx, by), g() as h:\n"
                "        for i, j in T.Parallel(4, 4):\n"
                "            C[i, j] += 1\n"
                "    return A, B\n");
  const auto &function = parsed.only<ast::FunctionDefStmt>();
  EXPECT_EQ(function.name, "f");
  EXPECT_EQ(function.nameSpan, (Span{FileId(0), 2, 5, 2, 6}));
  EXPECT_EQ(ast::unparse(function.decorators[0]), "tilelang.jit(out_idx=[(-1)])");
  EXPECT_EQ(ast::unparse(function.params), "M, *, n: int=1, **kw");
  ASSERT_EQ(function.body.size(), 4u);
  const auto &with = *llvm::cast<ast::WithStmt>(function.body[2]);
  ASSERT_EQ(with.items.size(), 2u);
  EXPECT_EQ(ast::unparse(with.items[0].target), "(bx, by)");
  const auto &loop = *llvm::cast<ast::ForStmt>(with.body[0]);
  EXPECT_EQ(loop.span, (Span{FileId(0), 6, 9, 7, 25}));
  EXPECT_EQ(parsed.module->commentOn(2)->text, "# why");
  EXPECT_EQ(parsed.module->commentOn(3), nullptr);
}

TEST(Parser, ReadsEveryOtherStatement) {
  Parsed parsed("import a.b as c, d\n"
                "from ..e.f import (g as h, i,)\n"
                "from . import *\n"
                "a = b, *c = d[0] = e\n"
                "a: int\n"
                "a //= 1; b @= c\n"
                "if a: pass\nelif b: pass\nelse: pass\n"
                "while (x := f()):\n  break\nelse:\n  continue\n"
                "try:\n  raise A from b\nexcept (B, C) as d:\n  pass\nexcept:\n  pass\n"
                "else:\n  pass\nfinally:\n  pass\n"
                "with (a as b, c as (d, e),):\n  pass\n"
                "with (a).b() as c, d: pass\n"
                "class A(B, metaclass=C):\n  x = 1\n"
                "assert a, f'{b}'\ndel a, b[0]\nglobal a, b\nnonlocal c\nraise\nreturn\n");
  EXPECT_EQ(parsed.errors(), "");
  EXPECT_EQ(parsed.module->body.size(), 19u);
  const auto &branch = *llvm::cast<ast::IfStmt>(parsed.module->body[7]);
  EXPECT_EQ(branch.branches.size(), 2u);
  EXPECT_EQ(branch.orelse.size(), 1u);
}

TEST(Parser, KnowsPositionalOnlyParameters) {
  Parsed parsed("def f(a, /, b, *c, d): pass");
  const auto &function = parsed.only<ast::FunctionDefStmt>();
  EXPECT_EQ(ast::unparse(function.params), "a, /, b, *c, d");
  EXPECT_EQ(function.params[3].kind, ast::ParamKind::KeywordOnly);
}

TEST(Parser, FindsSeveralErrorsInOneRun) {
  EXPECT_EQ(errors("a = = 1\n"
                   "def f:\n"
                   "    b = )\n"
                   "    c = 1 +\n"
                   "d = 'x\n"
                   "e = 2 2\n"),
            "UnmatchedBracket@3:9 ')' closes nothing;"
            "UnterminatedString@5:5 string is never closed;"
            "ExpectedSyntax@1:5 expected an expression, found '=';"
            "ExpectedSyntax@2:6 expected '(', found ':';"
            "ExpectedSyntax@4:12 expected an expression, found the end of the line;"
            "ExpectedSyntax@6:7 expected the end of the line, found '2';");
}

TEST(Parser, ReadsAnUnexpectedlyIndentedBlock) {
  Parsed parsed("a = 1\n  b = 2\n  c = 3\nd = 4\n");
  EXPECT_EQ(parsed.errors(), "UnexpectedIndent@2:3 unexpected indentation;");
  EXPECT_EQ(parsed.module->body.size(), 4u);
}

TEST(Parser, KeepsTheStatementsAroundAnError) {
  Parsed parsed("a = 1\nb = *\nif c +:\n  d\ne = 2\n");
  EXPECT_EQ(parsed.diagnostics.errorCount(), 2u);
  EXPECT_EQ(parsed.module->body.size(), 2u);
}

TEST(Parser, ReportsWhatCannotBeAssigned) {
  EXPECT_EQ(errors("f() = 1"), "CannotAssign@1:1 cannot assign to a call;");
  EXPECT_EQ(errors("a, 1 = b"), "CannotAssign@1:4 cannot assign to a literal;");
  EXPECT_EQ(errors("for a + b in c: pass"), "ExpectedSyntax@1:7 expected 'in', found '+';");
}

TEST(Parser, ReportsParameterMistakes) {
  EXPECT_EQ(errors("def f(a, a): pass"),
            "DuplicateParameter@1:10 parameter 'a' is declared twice;");
  EXPECT_EQ(errors("def f(a=1, b): pass"),
            "BadParameterOrder@1:12 parameter 'b' cannot stand here: it has no default, but the "
            "one before it has;");
  EXPECT_EQ(errors("f(a=1, b)"),
            "BadArgumentOrder@1:8 positional argument follows keyword argument;");
}

TEST(Parser, ReportsLiteralMistakes) {
  EXPECT_EQ(errors("012"), "InvalidNumber@1:1 '012' is not a number;");
  EXPECT_EQ(errors("1__0"), "InvalidNumber@1:1 '1__0' is not a number;");
  EXPECT_EQ(errors("1abc"), "InvalidNumber@1:1 '1abc' is not a number;");
  EXPECT_EQ(errors("'\\x4'"), "InvalidEscape@1:2 '\\x' is not a complete escape sequence;");
  EXPECT_EQ(errors("f'{a'"), "InvalidFString@1:3 f-string: '{' is never closed;");
  EXPECT_EQ(errors("f'{}'"), "InvalidFString@1:3 f-string: empty expression;");
  EXPECT_EQ(errors("f'}'"), "InvalidFString@1:3 f-string: single '}' is not allowed;");
}

// "def f[async@1:1 yield@2:3]": what is not supported in statements, and in bodies of functions.
std::string unsupportedIn(ast::StmtList stmts) {
  std::string out;
  for (const ast::Stmt *stmt : stmts) {
    if (const auto *def = llvm::dyn_cast<ast::FunctionDefStmt>(stmt))
      out += "def " + def->name.str() + "[" +
             llvm::StringRef(unsupportedIn(def->body)).rtrim().str() + "] ";
    if (const auto *one = llvm::dyn_cast<ast::UnsupportedStmt>(stmt))
      out += one->syntax.text.str() + "@" + std::to_string(one->syntax.span.line) + ":" +
             std::to_string(one->syntax.span.column) + " ";
  }
  return out;
}

std::string unsupported(const std::string &text) {
  Parsed parsed(text);
  return parsed.errors() + unsupportedIn(parsed.module->body);
}

TEST(Parser, NamesPythonThatKernelsCannotUse) {
  EXPECT_EQ(unsupported("async def f():\n  pass\n"), "def f[async@1:1] ");
  EXPECT_EQ(unsupported("@d\nasync def f(a):\n  await a\n"), "def f[async@2:1 await@3:3] ");
  EXPECT_EQ(unsupported("def f():\n  async for a in b:\n    yield from a\n  return 1\n"),
            "def f[async@2:3] ");
  EXPECT_EQ(unsupported("def f():\n  a = yield b\n  yield c\n"), "def f[yield@2:7] ");
  EXPECT_EQ(unsupported("a = yield b, c\nd = (yield)\ne = f(3j)\n"), "yield@1:5 yield@2:6 3j@3:7 ");
  EXPECT_EQ(unsupported("match = 1\nmatch(x)\n"), "");
  EXPECT_EQ(unsupported("def f(\xC3\xA4):\n  \xC3\xB6 = \xC3\xBC\n  f'{\xC3\x9F}'\n"),
            "def f[\xC3\xA4@1:7 \xC3\xB6@2:3 \xC3\x9F@3:6] ");
  EXPECT_EQ(unsupported("import \xC3\xA4 as b\nfrom a import \xC3\xB6\n"), "");
  EXPECT_EQ(errors("async x"), "ExpectedSyntax@1:7 expected 'def', 'for' or 'with' behind 'async', "
                               "found 'x';");
  EXPECT_EQ(errors("yield )"), "UnmatchedBracket@1:7 ')' closes nothing;");
}

// "[1, *b] if c; _": the cases of a `match`.
std::string patterns(const std::string &cases) {
  Parsed parsed("match a:\n" + cases + "d = 1\n");
  std::string out = parsed.errors();
  const auto *match = parsed.module->body.empty()
                          ? nullptr
                          : llvm::dyn_cast<ast::MatchStmt>(parsed.module->body.front());
  if (!match || parsed.module->body.size() != 2)
    return out;
  for (const ast::MatchCase &one : match->cases)
    out += (out.empty() ? "" : "; ") + unparse(*one.pattern) +
           (one.guard ? " if " + unparse(one.guard) : "");
  return out;
}

TEST(Parser, ReadsPatterns) {
  EXPECT_EQ(patterns("  case [1, *b] if c:\n    pass\n  case _: pass\n"), "[1, *b] if c; _");
  EXPECT_EQ(patterns("  case a, b: pass\n  case a,: pass\n  case (a): pass\n  case (): pass\n"),
            "[a, b]; [a]; a; []");
  EXPECT_EQ(patterns("  case -1 | 'x' | a.b as c: pass\n"), "((-1) | 'x' | a.b) as c");
  EXPECT_EQ(patterns("  case {'k': [a], 1: _, **rest}: pass\n"), "{'k': [a], 1: _, **rest}");
  EXPECT_EQ(patterns("  case a.B(1, n=(2 | 3)): pass\n  case int(): pass\n"),
            "a.B(1, n=(2 | 3)); int()");
  EXPECT_EQ(patterns("  case 1:\n"),
            "ExpectedSyntax@3:1 expected an indented block, found the end of the block;");
  EXPECT_EQ(patterns("  case f(a=1, 2): pass\n  case 3: pass\n"),
            "ExpectedSyntax@2:15 expected a keyword, found '2';");
}

std::string repeat(const std::string &text, unsigned times) {
  std::string out;
  for (unsigned i = 0; i < times; ++i)
    out += text;
  return out;
}

TEST(Parser, SurvivesDeepNesting) {
  const std::string openers[] = {"(",  "[",        "{1:",          "-",    "not ", "f(",
                                 "a[", "lambda: ", "1 if 1 else ", "2 ** "};
  for (const std::string &opener : openers)
    EXPECT_EQ(Parsed("x = " + repeat(opener, 10000) + "1\n").diagnostics.errorCount(),
              llvm::StringRef(opener).find_first_of("([{") != llvm::StringRef::npos ? 2u : 1u)
        << opener;
}

TEST(Parser, SurvivesLongChains) {
  for (const char *link : {" + a", ".a", "()", "[0]"})
    EXPECT_EQ(errors("x = a" + repeat(link, 10000)),
              "NestingTooDeep@1:5 expression nested deeper than 1000 levels;")
        << link;
  EXPECT_EQ(errors("x = a" + repeat(" and a", 10000)), "");
  EXPECT_EQ(errors("if a: pass\n" + repeat("elif a: pass\n", 10000)), "");
}

TEST(Parser, SurvivesDeepBlocks) {
  std::string text;
  for (unsigned i = 0; i < 2000; ++i)
    text += std::string(i, ' ') + "if a:\n";
  text += std::string(2000, ' ') + "pass\nb = 1\n";
  Parsed parsed(text);
  EXPECT_EQ(parsed.diagnostics.errorCount(), 1u);
  EXPECT_EQ(parsed.module->body.size(), 2u);
}

TEST(Parser, StopsAfterManyErrors) {
  Parsed parsed(repeat("a = = 1\n", 10000));
  EXPECT_EQ(parsed.diagnostics.errorCount(), 101u);
  EXPECT_EQ(parsed.diagnostics.all().back().id, DiagId::TooManySyntaxErrors);
}

TEST(Parser, RefusesWhatIsNotUtf8) {
  Parsed parsed("a = '\xFF'\n");
  EXPECT_EQ(parsed.module, nullptr);
  EXPECT_EQ(parsed.errors(), "NotUtf8@1:6 file is not UTF-8: byte 0xff at offset 5;");
}

} // namespace
} // namespace tilescope
