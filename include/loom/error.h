#pragma once

#include <stdexcept>

namespace loom {

/// What every exception of Rangeloom derives from.
class Error : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The caller asked for something that makes no sense (shapes that do not fit, a file that is no
/// picture). It is thrown where the mistake is made, with the values that do not fit in the text.
class UserError : public Error {
  using Error::Error;
};

/// A device could not do its part: out of memory, a lost device, a binary that does not load.
class DeviceError : public Error {
  using Error::Error;
};

/// Rangeloom broke one of its own rules. Always a bug worth a report.
class InternalError : public Error {
  using Error::Error;
};

}  // namespace loom
