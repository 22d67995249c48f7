// Square float32 products by OpenBLAS and oneDNN, row-major, with all the threads they like.
#ifdef LOOM_HAVE_OPENBLAS
#include <cblas.h>

extern "C" void loom_peer_sgemm_openblas(int n, const float* a, const float* b, float* c);
void loom_peer_sgemm_openblas(int n, const float* a, const float* b, float* c) {
  cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, n, n, n, 1.0f, a, n, b, n, 0.0f, c, n);
}
#endif

#ifdef LOOM_HAVE_ONEDNN
#include <dnnl.h>

extern "C" void loom_peer_sgemm_onednn(int n, const float* a, const float* b, float* c);
void loom_peer_sgemm_onednn(int n, const float* a, const float* b, float* c) {
  dnnl_sgemm('N', 'N', n, n, n, 1.0f, a, n, b, n, 0.0f, c, n);
}
#endif
