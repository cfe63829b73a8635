#include "core/codegen/arena_extent.h"

#include "core/analysis/shared_bytes.h"
#include "core/ir/build.h"

namespace tilescope {

namespace {

// The end of the last buffer that the plan placed; what is sized at launch comes above.
int64_t plannedBytes(const Function &function) {
  int64_t end = 0;
  for (const Buffer *buffer : function.buffers)
    if (buffer->scope == Scope::Shared && buffer->offsetBytes)
      end = std::max(end, endBytes(*buffer));
  return end;
}

const Expr *alignedUp(Builder &builder, const Expr *bytes, int64_t alignmentBytes) {
  const Expr *alignment = builder.integer(alignmentBytes, DType::int64());
  const Expr *beyond = builder.add(bytes, builder.integer(alignmentBytes - 1, DType::int64()));
  return builder.mul(builder.floorDiv(beyond, alignment), alignment);
}

const Expr *versionBytesExpr(Builder &builder, const Buffer &buffer) {
  const Expr *elements = builder.integer(1, DType::int64());
  for (const Expr *extent : buffer.shape) {
    const Expr *wide = builder.cast(DType::int64(), extent);
    if (extent == buffer.shape.back() && buffer.layout)
      wide = builder.add(wide, builder.integer(buffer.layout->padElements, DType::int64()));
    elements = builder.mul(elements, wide);
  }
  if (buffer.dtype.bits >= 8)
    return builder.mul(elements, builder.integer(buffer.dtype.bits / 8, DType::int64()));
  int64_t perByte = 8 / buffer.dtype.bits;
  return builder.floorDiv(builder.add(elements, builder.integer(perByte - 1, DType::int64())),
                          builder.integer(perByte, DType::int64()));
}

const Expr *allVersions(Builder &builder, const Buffer &buffer) {
  return builder.mul(slotStride(builder.context(), buffer),
                     builder.integer(buffer.versions, DType::int64()));
}

// Where the region starts, and so the one below it ends.
const Expr *regionBegin(Builder &builder, const Function &function, int64_t region) {
  llvm::SmallVector<const Expr *> sizes(region, nullptr);
  int64_t alignment = 1; // of all regions: each begins where any of their buffers may
  for (const Buffer *buffer : function.buffers) {
    if (!buffer->launchRegion)
      continue;
    alignment = std::max(alignment, alignmentBytes(*buffer));
    if (*buffer->launchRegion >= region)
      continue;
    const Expr *bytes = allVersions(builder, *buffer);
    const Expr *&size = sizes[*buffer->launchRegion];
    size = size ? builder.binary(BinaryOp::Max, size, bytes) : bytes;
  }
  const Expr *begin =
      alignedUp(builder, builder.integer(plannedBytes(function), DType::int64()), alignment);
  for (const Expr *size : sizes)
    begin = size ? builder.add(begin, size) : begin;
  return begin;
}

} // namespace

int64_t endBytes(const Buffer &buffer) {
  return *buffer.offsetBytes + buffer.versions * *versionStrideBytes(buffer);
}

bool isSizedAtLaunch(const Buffer &buffer) {
  return buffer.scope == Scope::Shared && !versionBytes(buffer);
}

const Expr *slotStride(Context &context, const Buffer &buffer) {
  Builder builder(context);
  if (std::optional<int64_t> bytes = versionStrideBytes(buffer))
    return builder.integer(*bytes, DType::int64());
  return alignedUp(builder, versionBytesExpr(builder, buffer), alignmentBytes(buffer));
}

const Expr *arenaBegin(Context &context, const Function &function, const Buffer &buffer) {
  Builder builder(context);
  if (buffer.offsetBytes)
    return builder.integer(*buffer.offsetBytes, DType::int64());
  return regionBegin(builder, function, buffer.launchRegion.value_or(0));
}

const Expr *arenaEnd(Context &context, const Function &function) {
  Builder builder(context);
  int64_t regions = 0;
  for (const Buffer *buffer : function.buffers)
    regions = std::max(regions, buffer->launchRegion.value_or(-1) + 1);
  if (regions == 0)
    return builder.integer(plannedBytes(function), DType::int64());
  return regionBegin(builder, function, regions);
}

} // namespace tilescope
