// What the address sanitizer must know of this program, wherever it is started; empty in other
// builds.
#ifdef __SANITIZE_ADDRESS__

extern "C" const char *__asan_default_options();

// LLVM's allocator poisons memory in our code and, being built without sanitizers, does not
// unpoison what its own code hands out.
extern "C" const char *__asan_default_options() { return "allow_user_poisoning=0"; }

#endif
