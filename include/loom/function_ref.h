#pragma once

#include <functional>
#include <memory>
#include <type_traits>
#include <utility>

namespace loom {

template <class Signature>
class function_ref;

/// Points at something callable that outlives the call it is passed to: std::function without the
/// allocation. For parameters only.
template <class R, class... Args>
class function_ref<R(Args...)> {
 public:
  template <class F>
    requires(!std::is_same_v<std::remove_cvref_t<F>, function_ref> &&
             std::is_invocable_r_v<R, F&, Args...> && std::is_object_v<std::remove_reference_t<F>>)
  function_ref(F&& callable)  // implicit, as a parameter should take a lambda as it stands
      : object_(const_cast<void*>(static_cast<const void*>(std::addressof(callable)))),
        call_([](void* object, Args... args) -> R {
          auto& target = *static_cast<std::remove_reference_t<F>*>(object);
          return std::invoke(target, std::forward<Args>(args)...);
        }) {}

  R operator()(Args... args) const { return call_(object_, std::forward<Args>(args)...); }

 private:
  void* object_;
  R (*call_)(void*, Args...);
};

}  // namespace loom
