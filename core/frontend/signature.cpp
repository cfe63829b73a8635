#include "core/frontend/signature.h"

#include "core/frontend/assignment.h"
#include "core/frontend/builtins.h"
#include "core/frontend/evaluation.h"
#include "core/frontend/expr_operators.h"
#include "core/frontend/subscripts.h"

namespace tilescope::frontend {

// Tensors that a kernel makes with T.empty come behind its parameters.
constexpr size_t OutputPosition = 1'000'000;

Value KernelSignature::constArgument(llvm::StringRef name) const {
  for (const Argument &constant : constants)
    if (constant.name == name)
      return constant.value;
  return Value();
}

void addPassConfigs(Evaluation &evaluation, Value configs, Span span) {
  const auto *dict = configs.as<DictObject>();
  if (!dict) {
    if (!configs.isNone())
      evaluation.fail(DiagId::WrongType, span, "a dict of pass configs", phraseFor(configs));
    return;
  }
  for (const auto &[key, value] : dict->items) {
    const auto *member = key.as<EnumObject>();
    std::string name = member ? member->name : llvm::StringRef(strOf(key)).upper();
    std::replace(name.begin(), name.end(), '.', '_');
    evaluation.signature.passConfigs.push_back({name, value});
    if (name != "TL_ENABLE_FAST_MATH" && name != "TL_DISABLE_THREAD_STORAGE_SYNC")
      evaluation.fail(DiagId::PassConfigIgnored, span, name);
  }
}

// Vectors become an axis more, the last; strides count vectors until then.
static BufferObject *addTensor(Evaluation &evaluation, llvm::StringRef name,
                               const TensorTypeObject &tensor, size_t position, Span span) {
  std::vector<const Expr *> shape = tensor.shape, strides = tensor.strides;
  if (tensor.lanes > 1) {
    const Expr *lanes = evaluation.ir.integer(tensor.lanes);
    shape.push_back(lanes);
    for (const Expr *&stride : strides)
      stride = evaluation.ir.mul(stride, evaluation.ir.cast(stride->dtype(), lanes));
    if (!strides.empty())
      strides.push_back(evaluation.ir.integer(1));
  }
  BufferObject *buffer =
      evaluation.kernel->addBuffer(evaluation.heap, tensor.dtype, shape, Scope::Global, span);
  buffer->draft.strides = evaluation.context.copy<const Expr *>(strides);
  buffer->lanes = tensor.lanes;
  if (!name.empty())
    evaluation.kernel->nameBuffer(*buffer, name);
  evaluation.kernel->addTensorParam(*buffer, position);
  return buffer;
}

bool isPointerType(Value annotation) {
  const auto *builtin = annotation.as<BuiltinObject>();
  return annotation.is(ValueKind::Pointer) ||
         (builtin && (builtin->info.name == "handle" || builtin->info.name == "ptr"));
}

bool declareParam(Evaluation &evaluation, llvm::StringRef name, Value annotation, size_t position,
                  Span span) {
  KernelSignature &signature = evaluation.signature;
  signature.declared.resize(std::max(signature.declared.size(), position + 1));
  const auto *tensor = annotation.as<TensorTypeObject>();
  if (tensor && !tensor->isOutput && !tensor->isTable) {
    signature.declared[position] = addTensor(evaluation, name, *tensor, position, span);
    setName(evaluation, name, signature.declared[position]);
    return true;
  }
  if (isPointerType(annotation) || (tensor && tensor->isTable)) {
    auto *pointer = evaluation.heap.make<PointerObject>();
    pointer->position = position;
    if (tensor)
      pointer->table = tensor->shape;
    signature.pointers.push_back({pointer, name.str(), span});
    setName(evaluation, name, pointer);
    return true;
  }
  bool isType = annotation.is(ValueKind::DType) || annotation.is(ValueKind::Builtin);
  std::optional<DType> dtype = isType ? toDType(evaluation, annotation, span) : std::nullopt;
  if (!dtype) {
    if (!isType)
      evaluation.fail(DiagId::ParamAnnotation, span, name, phraseFor(annotation));
    return false;
  }
  const Var *var = evaluation.ir.var(name, *dtype);
  evaluation.kernel->addScalarParam(*var, position);
  setName(evaluation, name, Value::expr(var));
  return true;
}

BufferObject *declarePointed(Evaluation &evaluation, PointerObject &pointer,
                             const TensorTypeObject &tensor, Span span) {
  llvm::StringRef name;
  for (const PointerParam &param : evaluation.signature.pointers)
    if (param.pointer == &pointer && !pointer.table.empty())
      name = param.name;
  pointer.buffer = addTensor(evaluation, name, tensor, pointer.position, span);
  evaluation.signature.declared[pointer.position] = pointer.buffer;
  return pointer.buffer;
}

bool requireTensors(Evaluation &evaluation) {
  bool isFine = true;
  for (const PointerParam &param : evaluation.signature.pointers)
    if (!param.pointer->buffer)
      isFine = evaluation.failed(DiagId::PointerWithoutTensor, param.span, param.name);
  return isFine;
}

bool declareTensor(Evaluation &evaluation, const ast::NameExpr &target, Value annotation) {
  Value *value = evaluation.names.findLocal(target.name);
  const auto *argument = value ? value->as<TensorArgumentObject>() : nullptr;
  if (!argument)
    return evaluation.failed(DiagId::NotAParameter, target.span, target.name);
  return declareParam(evaluation, target.name, annotation, argument->position, target.span);
}

Value declareOutput(Evaluation &evaluation, llvm::StringRef name, TensorTypeObject &tensor,
                    Span span) {
  BufferObject *buffer = addTensor(evaluation, name, tensor,
                                   OutputPosition + evaluation.signature.outputs.size(), span);
  evaluation.signature.outputs.push_back(buffer);
  return buffer;
}

// `return C`: only what T.empty made can be returned.
bool readReturned(Evaluation &evaluation, Value value,
                  llvm::SmallVectorImpl<const BufferObject *> &outputs, Span span) {
  if (value.isNone())
    return true;
  Values items{value};
  if (const Values *several = sequenceItems(value))
    items = *several;
  for (const Value &item : items) {
    auto *buffer = item.as<BufferObject>();
    if (!buffer || !llvm::is_contained(evaluation.signature.outputs, buffer))
      return evaluation.failed(DiagId::ReturnedNoOutput, span, phraseFor(item));
    outputs.push_back(buffer);
  }
  return true;
}

bool readOutIdx(Evaluation &evaluation, llvm::SmallVectorImpl<const BufferObject *> &outputs) {
  KernelSignature &signature = evaluation.signature;
  if (!signature.outIdx || signature.outIdx.isNone())
    return true;
  Values indices{signature.outIdx};
  if (const Values *several = sequenceItems(signature.outIdx))
    indices = *several;
  for (const Value &index : indices) {
    std::optional<size_t> at =
        resolveIndex(evaluation, index, signature.declared.size(), signature.outIdxSpan);
    if (!at)
      return false;
    if (!signature.declared[*at])
      return evaluation.failed(DiagId::OutputNoTensor, signature.outIdxSpan, *at);
    outputs.push_back(signature.declared[*at]);
  }
  return true;
}

} // namespace tilescope::frontend
