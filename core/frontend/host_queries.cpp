// What a kernel file asks of the GPU that it runs on. There is none: the target answers, and what
// differs between targets is a remark, since the kernel depends on it.
#include "core/frontend/builtins.h"
#include "core/frontend/evaluation.h"

namespace tilescope::frontend {

// Null after a report.
static const Target *deviceOf(Args &args) {
  const Target *device = args.evaluation.device;
  if (!device)
    args.evaluation.fail(DiagId::HostOnly, args.span, args.callee());
  return device;
}

static Value answer(Args &args, const Target &device, Value value) {
  args.evaluation.fail(DiagId::HostAnswered, args.span, args.callee(), device.name, strOf(value));
  return value;
}

Value hostDevice(Args &) { return Value::integer(0); }

Value hostHasDevice(Args &) { return Value::boolean(true); }

Value hostDeviceCount(Args &) { return Value::integer(1); }

static Value capability(Evaluation &evaluation, const Target &device) {
  return evaluation.heap.tuple({Value::integer(device.major), Value::integer(device.minor)});
}

Value hostCapability(Args &args) {
  const Target *device = deviceOf(args);
  return device ? answer(args, *device, capability(args.evaluation, *device)) : Value();
}

Value hostMultiprocessors(Args &args) {
  const Target *device = deviceOf(args);
  return device ? answer(args, *device, Value::integer(device->multiprocessors)) : Value();
}

Value hostProperties(Args &args) {
  const Target *device = deviceOf(args);
  if (!device)
    return Value();
  Heap &heap = args.evaluation.heap;
  auto *type = heap.make<ClassObject>();
  type->name = "DeviceProperties";
  auto *properties = heap.make<InstanceObject>(type);
  properties->attributes["major"] = Value::integer(device->major);
  properties->attributes["minor"] = Value::integer(device->minor);
  properties->attributes["multi_processor_count"] = Value::integer(device->multiprocessors);
  properties->attributes["max_threads_per_multi_processor"] =
      Value::integer(device->maxThreadsPerSm);
  properties->attributes["shared_memory_per_multiprocessor"] =
      Value::integer(device->sharedBytesPerSm);
  properties->attributes["shared_memory_per_block_optin"] =
      Value::integer(device->sharedBytesPerBlock);
  properties->attributes["warp_size"] = Value::integer(32);
  answer(args, *device, capability(args.evaluation, *device));
  return properties;
}

} // namespace tilescope::frontend
