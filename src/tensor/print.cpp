// Printing as NumPy does: every number with the digits that tell it from its neighbours, 8 after
// the point at most, all in one width; lines of 75 columns; more than 1000 elements with "..."
// inside.
#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/error.h"
#include "tensor/data.h"

namespace loom {
namespace {

constexpr int kPrecision = 8;
constexpr size_t kLineWidth = 75;
constexpr int64_t kEdge = 3;  // elements before and after "..."
constexpr int64_t kSummaryAbove = 1000;

// --- One number. ---

template <class... Format>
std::string to_text(Format... format) {
  char text[400];
  const auto [end, error] = std::to_chars(text, text + sizeof(text), format...);
  require(error == std::errc(), "a number does not fit its buffer");
  return {text, end};
}

bool survives(DType dtype, double value, const std::string& text) {
  return round_to(dtype, std::stod(text)) == value;
}

// The shortest text that reads back as the same value of the dtype.
std::string shortest(DType dtype, double value, std::chars_format format) {
  if (dtype == kFloat64) return to_text(value, format);
  if (dtype == kFloat32) return to_text(static_cast<float>(value), format);
  int digits = 0;
  std::string scientific = to_text(value, std::chars_format::scientific, digits);
  while (!survives(dtype, value, scientific)) {
    scientific = to_text(value, std::chars_format::scientific, ++digits);
  }
  return format == std::chars_format::scientific ? scientific
                                                 : to_text(std::stod(scientific), format);
}

// "12.5" or "1.25e+01" in three parts. `fraction` has no trailing zeros.
struct Parts {
  std::string whole, fraction, exponent;
};

Parts split_parts(const std::string& text) {
  const size_t e = std::min(text.find('e'), text.size());
  const size_t point = std::min(text.find('.'), e);
  Parts parts{text.substr(0, point), "", text.substr(e)};
  if (point < e) parts.fraction = text.substr(point + 1, e - point - 1);
  parts.fraction.erase(parts.fraction.find_last_not_of('0') + 1);
  return parts;
}

Parts parts_of(DType dtype, double value, std::chars_format format) {
  Parts exact = split_parts(shortest(dtype, value, format));
  if (exact.fraction.size() <= kPrecision) return exact;
  return split_parts(to_text(value, format, kPrecision));
}

std::string not_finite(double value) {
  return std::isnan(value) ? "nan" : value < 0 ? "-inf" : "inf";
}

std::string align_right(const std::string& text, size_t width) {
  return text.size() >= width ? text : std::string(width - text.size(), ' ') + text;
}

// A single float, as NumPy prints its scalars.
std::string scalar_word(DType dtype, double value) {
  if (!std::isfinite(value)) return not_finite(value);
  const double magnitude = std::abs(value);
  if (magnitude == 0 || (magnitude >= 1e-4 && magnitude < 1e16)) {
    const Parts parts = split_parts(shortest(dtype, value, std::chars_format::fixed));
    return parts.whole + "." + (parts.fraction.empty() ? "0" : parts.fraction);
  }
  return shortest(dtype, value, std::chars_format::scientific);
}

// --- All numbers of a tensor in one format. ---

bool needs_exponent(const std::vector<double>& values) {
  double largest = 0, smallest = INFINITY;
  for (double value : values) {
    if (value == 0 || !std::isfinite(value)) continue;
    largest = std::max(largest, std::abs(value));
    smallest = std::min(smallest, std::abs(value));
  }
  return largest != 0 && (largest >= 1e8 || smallest < 1e-4 || largest / smallest > 1000);
}

// Widths that all numbers of a tensor share.
struct Columns {
  size_t whole = 0, fraction = 0, exponent = 0, special = 0;

  void fit(const Parts& parts) {
    whole = std::max(whole, parts.whole.size());
    fraction = std::max(fraction, parts.fraction.size());
    exponent = std::max(exponent, parts.exponent.size());
  }
  size_t width() const {
    const size_t number = whole == 0 ? 0 : whole + 1 + fraction + exponent;
    return std::max(number, special);
  }
  std::string word(Parts parts) const {
    parts.fraction.resize(fraction, exponent > 0 ? '0' : ' ');
    if (exponent > 0) parts.exponent.insert(2, exponent - parts.exponent.size(), '0');  // "e+" 0
    return parts.whole + "." + parts.fraction + parts.exponent;
  }
};

std::vector<std::string> float_words(DType dtype, const std::vector<double>& values) {
  const auto format =
      needs_exponent(values) ? std::chars_format::scientific : std::chars_format::fixed;
  Columns columns;
  for (double value : values) {
    if (std::isfinite(value))
      columns.fit(parts_of(dtype, value, format));
    else
      columns.special = std::max(columns.special, not_finite(value).size());
  }
  std::vector<std::string> words;
  for (double value : values) {
    const std::string word =
        std::isfinite(value) ? columns.word(parts_of(dtype, value, format)) : not_finite(value);
    words.push_back(align_right(word, columns.width()));
  }
  return words;
}

template <class T>
std::vector<std::string> integer_words(const Tensor& tensor) {
  std::vector<std::string> words;
  size_t width = 0;
  for (T value : tensor.to_vector<T>()) {
    words.push_back(str(value));
    width = std::max(width, words.back().size());
  }
  for (std::string& word : words) word = align_right(word, width);
  return words;
}

std::vector<std::string> bool_words(const Tensor& tensor) {
  std::vector<std::string> words;
  for (bool value : tensor.to_vector<bool>()) {
    words.emplace_back(value ? (tensor.ndim() == 0 ? "True" : " True") : "False");
  }
  return words;
}

std::vector<std::string> words_of(const Tensor& tensor) {
  const DType dtype = tensor.dtype();
  if (dtype.is_bool()) return bool_words(tensor);
  if (dtype == kUInt64) return integer_words<uint64_t>(tensor);
  if (dtype.is_int()) return integer_words<int64_t>(tensor);
  const std::vector<double> values = tensor.to_vector<double>();
  if (tensor.ndim() == 0) return {scalar_word(dtype, values[0])};
  return float_words(dtype, values);
}

// --- Brackets and lines. ---

class Layout {
 public:
  // `corners` has the words of the elements to show; an axis of `shape` that is longer than it
  // shows gets "..." in the middle.
  Layout(const Shape& shape, const Shape& shown, const std::vector<std::string>& words)
      : shape_(shape), shown_(shown), words_(words) {}

  std::string text() { return block(0, 1, kLineWidth); }

 private:
  bool has_gap_before(size_t axis, int64_t i) const {
    return shape_[axis] > shown_[axis] && i == kEdge;
  }

  // Everything inside one pair of brackets. Elements come in order, so `next_` walks the words.
  std::string block(size_t axis, size_t indent, size_t width) {
    const std::string body =
        axis + 1 == shape_.size() ? row(axis, indent, width) : blocks(axis, indent, width);
    return "[" + body.substr(indent) + "]";
  }

  std::string blocks(size_t axis, size_t indent, size_t width) {
    const std::string margin(indent, ' ');
    const std::string separator(shape_.size() - axis - 1, '\n');
    const std::string gap = margin + "..." + separator;
    std::string body;
    for (int64_t i = 0; i < shown_[axis]; i++) {
      if (i > 0) body += separator;
      if (has_gap_before(axis, i)) body += gap;
      body.append(margin).append(block(axis + 1, indent + 1, width - 1));
    }
    return body;
  }

  std::string row(size_t axis, size_t indent, size_t width) {
    const std::string margin(indent, ' ');
    std::string body, line = margin;
    const auto append = [&](const std::string& word, const char* separator) {
      if (line.size() + word.size() > width - 1 && line.size() > margin.size()) {
        line.erase(line.find_last_not_of(' ') + 1);
        body += line + "\n";
        line = margin;
      }
      line += word + separator;
    };
    for (int64_t i = 0; i < shown_[axis]; i++) {
      if (has_gap_before(axis, i)) append("...", " ");
      append(words_[next_++], i + 1 < shown_[axis] ? " " : "");
    }
    return body + line;
  }

  const Shape& shape_;
  const Shape& shown_;
  const std::vector<std::string>& words_;
  size_t next_ = 0;
};

// The first and last elements of every long axis.
Tensor corners(Tensor x) {
  for (int64_t axis = 0; axis < x.ndim(); axis++) {
    const int64_t size = x.shape()[axis];
    if (size <= 2 * kEdge) continue;
    const std::vector<Tensor> pieces = x.split({kEdge, size - 2 * kEdge, kEdge}, axis);
    x = cat({pieces[0], pieces[2]}, axis);
  }
  return x;
}

}  // namespace

std::string Tensor::to_string() const {
  if (numel() == 0) return "[]";
  const Tensor shown = numel() > kSummaryAbove ? corners(*this) : *this;
  const std::vector<std::string> words = words_of(shown);
  return ndim() == 0 ? words[0] : Layout(shape(), shown.shape(), words).text();
}

std::ostream& operator<<(std::ostream& out, const Tensor& tensor) {
  return out << tensor.to_string();
}

}  // namespace loom
