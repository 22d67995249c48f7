// Products of vectors, matrices and stacks of matrices: a broadcast product and a sum.
#include "base/error.h"
#include "tensor/data.h"
#include "tensor/rules.h"

namespace loom {
namespace {

void check_matmul(const Tensor& a, const Tensor& b) {
  const auto refuse = [&](std::string_view expected) {
    fail<UserError>("matmul: ", describe(a), " and ", describe(b), ", expected ", expected);
  };
  if (a.ndim() == 0 || b.ndim() == 0) refuse("one axis or more on both sides");
  const int64_t inner = b.size(b.ndim() == 1 ? 0 : -2);
  if (a.size(-1) != inner)
    refuse(str("the last axis of the first, ", a.size(-1), ", and ", inner, " to be equal"));
}

// (..., n, k) and (..., m, k) to (..., n, m).
Tensor row_products(const Tensor& rows, const Tensor& columns) {
  const Tensor products = rows.unsqueeze(-2) * columns.unsqueeze(-3);
  // Like NumPy, integers do not widen here and bool is the algebra of AND and OR.
  if (products.dtype().is_bool()) return products.any(-1);
  return products.sum(-1).cast(products.dtype());
}

}  // namespace

Tensor Tensor::matmul(const Tensor& other) const {
  check_matmul(*this, other);
  const DType dtype = promote(this->dtype(), other.dtype());
  const DType wide = is_half(dtype) ? kFloat32 : dtype;
  const Tensor rows = ndim() == 1 ? unsqueeze(0) : *this;
  const Tensor columns = other.ndim() == 1 ? other.unsqueeze(0) : other.transpose();
  Tensor product = row_products(rows.cast(wide), columns.cast(wide)).cast(dtype);
  if (other.ndim() == 1) product = product.squeeze(-1);
  return ndim() == 1 ? product.squeeze(other.ndim() == 1 ? -1 : -2) : product;
}

}  // namespace loom
