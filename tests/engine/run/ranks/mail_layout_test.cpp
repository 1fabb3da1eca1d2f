#include "engine/run/ranks/mail_layout.h"

#include <ATen/ops/arange.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/ones.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace stagelane::run {
namespace {

at::Tensor counted(std::vector<std::int64_t> sizes, at::ScalarType type = at::kDouble) {
  std::int64_t count = 1;
  for (const std::int64_t size : sizes) count *= size;
  return at::arange(count, at::TensorOptions().dtype(type)).view(sizes);
}

/// Packs, copies the message as a transfer does, and unpacks it.
at::Tensor transferred(const at::Tensor& tensor) {
  const auto packed = packTensor(tensor);
  EXPECT_TRUE(packed) << describe(packed.error());
  EXPECT_TRUE(isSound(packed->header));
  EXPECT_TRUE(packed->values.is_contiguous());
  const at::Tensor arrived = emptyValues(packed->header);
  EXPECT_EQ(arrived.nbytes(), packed->values.nbytes());
  arrived.copy_(packed->values);
  return unpackTensor(packed->header, arrived);
}

TEST(MailLayout, ArrivesWithTheSameValuesAndStrides) {
  const at::Tensor image = counted({2, 3, 4, 5});
  const std::vector<at::Tensor> tensors = {
      image,
      image.contiguous(at::MemoryFormat::ChannelsLast),
      image.permute({3, 1, 0, 2}),
      image.slice(3, 1, 4),  // gaps
      image.slice(2, 1, 2),  // offset, large gaps
      image.select(3, 2),    // one of five values
      image.select(3, 2).unsqueeze(1).expand({2, 6, 3, 4}),
      counted({3, 1}).expand({3, 5}),  // repeats
      counted({1}).expand({4, 5}),     // one value
      counted({}).expand({2, 2}),
      counted({6}).unfold(0, 3, 1),    // windows that overlap
      counted({40}).unfold(0, 3, 10),  // windows far from each other
      counted({}),
      counted({0, 3}),
      counted({2, 1, 3}).transpose(0, 1),
      counted({7}, at::kFloat),
      counted({7}, at::kBFloat16),
      counted({7}, at::kLong),
      counted({7}).gt(3.0),
  };
  for (std::size_t index = 0; index < tensors.size(); ++index) {
    const at::Tensor& sent = tensors[index];
    const at::Tensor arrived = transferred(sent);
    EXPECT_EQ(arrived.scalar_type(), sent.scalar_type()) << index;
    EXPECT_EQ(arrived.sizes(), sent.sizes()) << index;
    EXPECT_EQ(arrived.strides(), sent.strides()) << index;
    EXPECT_TRUE(at::equal(arrived, sent)) << index;
  }
}

TEST(MailLayout, DenseTensorsAreNotCopied) {
  const at::Tensor image = counted({2, 3, 4, 5}).contiguous(at::MemoryFormat::ChannelsLast);
  EXPECT_EQ(packTensor(image)->values.data_ptr(), image.data_ptr());
  EXPECT_EQ(packTensor(image.slice(0, 1))->values.data_ptr(), image.slice(0, 1).data_ptr());
}

TEST(MailLayout, RepeatedValuesTravelOnce) {
  EXPECT_EQ(packTensor(counted({3, 1}).expand({3, 1000}))->values.numel(), 3);
  EXPECT_EQ(packTensor(counted({1}).expand({1000, 1000}))->values.numel(), 1);
}

TEST(MailLayout, MostlyGapsDoNotTravel) {
  EXPECT_EQ(packTensor(counted({10, 100}).select(1, 3))->values.numel(), 10);
}

TEST(MailLayout, RefusesWhatIsNotPlainMemory) {
  EXPECT_FALSE(packTensor(at::Tensor()));
  EXPECT_FALSE(packTensor(at::empty({2}, at::TensorOptions().device(at::kMeta))));
  EXPECT_FALSE(packTensor(at::ones(std::vector<std::int64_t>(13, 1))));
  EXPECT_TRUE(packTensor(at::ones(std::vector<std::int64_t>(12, 1))));
}

TEST(MailLayout, OtherMessagesAreNotSound) {
  MailHeader header = packTensor(counted({2, 2}))->header;
  ASSERT_TRUE(isSound(header));
  MailHeader other = header;
  other.magic = 0;
  EXPECT_FALSE(isSound(other));
  other = header;
  other.dimensions = 13;
  EXPECT_FALSE(isSound(other));
  other = header;
  other.elements = 5;
  EXPECT_FALSE(isSound(other));
  other = header;
  other.scalarType = 1000;
  EXPECT_FALSE(isSound(other));
}

}  // namespace
}  // namespace stagelane::run
