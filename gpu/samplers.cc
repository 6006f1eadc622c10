// Draws by weights on the device.
#include "gpu/offload.h"

namespace griddle {

Value Offload::draw_products(Context&, const ProductDraw&, const Value&, const Value&, const Value&, const Value&) {
  return Value();
}

}  // namespace griddle
