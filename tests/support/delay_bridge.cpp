/// A cable with a delay and a rate, for tests on machines whose kernel has no netem: passes
/// Ethernet frames between two interfaces of its network namespace. Ends with its parent, or by a
/// signal.
///
///   stagelane_delay_bridge IF_A IF_B DELAY_US [MEGABYTES_PER_S]
///
/// Prints "ready" once frames pass. It needs CAP_NET_RAW and CAP_NET_ADMIN.

#include <arpa/inet.h>
#include <linux/if_packet.h>
#include <net/ethernet.h>
#include <net/if.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;
using Nanoseconds = std::chrono::nanoseconds;

// Linux 4.20; the headers of older systems lack it.
constexpr int kIgnoreOutgoing = 23;
constexpr int kQueueBytes = 64 << 20;
// Frames with segmentation offload have up to 64 KiB, and headers.
constexpr std::size_t kLargestFrame = std::size_t{70} << 10U;

struct Cable {
  Nanoseconds delay{0};
  double bytesPerNs = 0.0;  ///< 0: without limit
};

struct Frame {
  Clock::time_point due;
  std::vector<char> bytes;
};

/// All frames of an interface, as they come from the other end of its cable.
int openInterface(const char* name) {
  const int descriptor =
      ::socket(AF_PACKET, SOCK_RAW | SOCK_NONBLOCK | SOCK_CLOEXEC, htons(ETH_P_ALL));
  if (descriptor < 0) return -1;
  const int on = 1;
  // Frames keep the state of checksums and segmentation, which interfaces of namespaces leave to
  // each other.
  ::setsockopt(descriptor, SOL_PACKET, PACKET_VNET_HDR, &on, sizeof(on));
  // Otherwise the frames that this program sends would come back.
  ::setsockopt(descriptor, SOL_PACKET, kIgnoreOutgoing, &on, sizeof(on));
  ::setsockopt(descriptor, SOL_SOCKET, SO_RCVBUFFORCE, &kQueueBytes, sizeof(kQueueBytes));
  ::setsockopt(descriptor, SOL_SOCKET, SO_SNDBUFFORCE, &kQueueBytes, sizeof(kQueueBytes));
  sockaddr_ll address{};
  address.sll_family = AF_PACKET;
  address.sll_protocol = htons(ETH_P_ALL);
  address.sll_ifindex = static_cast<int>(::if_nametoindex(name));
  if (address.sll_ifindex != 0 &&
      ::bind(descriptor, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) == 0) {
    return descriptor;
  }
  ::close(descriptor);
  return -1;
}

/// The frames on their way in one direction.
class Direction {
 public:
  Direction(int from, int to, const Cable& cable) : m_from(from), m_to(to), m_cable(cable) {}

  /// Takes the frames that have come, a few at a time, so that the other direction is not starved.
  void take() {
    constexpr int kMostFrames = 64;
    for (int count = 0; count < kMostFrames; ++count) {
      const ssize_t size = ::recv(m_from, m_buffer.data(), m_buffer.size(), 0);
      if (size <= 0) return;
      const double busyNs =
          m_cable.bytesPerNs > 0 ? static_cast<double>(size) / m_cable.bytesPerNs : 0.0;
      m_free = std::max(m_free, Clock::now()) + Nanoseconds(static_cast<std::int64_t>(busyNs));
      m_frames.push_back(
          {m_free + m_cable.delay, std::vector<char>(m_buffer.begin(), m_buffer.begin() + size)});
    }
  }
  /// Sends the frames that are due. A frame that cannot be sent is lost, as on a cut cable.
  void give() {
    const Clock::time_point now = Clock::now();
    while (!m_frames.empty() && m_frames.front().due <= now) {
      const std::vector<char>& bytes = m_frames.front().bytes;
      static_cast<void>(::send(m_to, bytes.data(), bytes.size(), 0));
      m_frames.pop_front();
    }
  }
  [[nodiscard]] std::optional<Clock::time_point> due() const {
    if (m_frames.empty()) return {};
    return m_frames.front().due;
  }

 private:
  int m_from;
  int m_to;
  const Cable& m_cable;
  Clock::time_point m_free{};  ///< when the last frame has left its sender
  std::deque<Frame> m_frames;
  std::vector<char> m_buffer = std::vector<char>(kLargestFrame);
};

/// Until a frame comes or is due.
void await(std::array<pollfd, 2>& events, const std::array<Direction, 2>& directions) {
  Nanoseconds wait = std::chrono::seconds(1);
  for (const Direction& direction : directions) {
    const std::optional<Clock::time_point> due = direction.due();
    if (due) wait = std::min<Nanoseconds>(wait, *due - Clock::now());
  }
  wait = std::max(wait, Nanoseconds(0));
  const timespec limit{static_cast<time_t>(wait.count() / 1'000'000'000),
                       static_cast<long>(wait.count() % 1'000'000'000)};
  ::ppoll(events.data(), events.size(), &limit, nullptr);
}

[[noreturn]] void pass(int a, int b, const Cable& cable) {
  std::array<Direction, 2> directions{Direction(a, b, cable), Direction(b, a, cable)};
  std::array<pollfd, 2> events{pollfd{a, POLLIN, 0}, pollfd{b, POLLIN, 0}};
  for (;;) {
    for (Direction& direction : directions) direction.give();
    await(events, directions);
    for (Direction& direction : directions) direction.take();
  }
}

std::optional<std::int64_t> readNumber(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failed != std::errc() || end != text.data() + text.size() || value < 0) return {};
  return value;
}

int usage() {
  std::fputs("usage: stagelane_delay_bridge IF_A IF_B DELAY_US [MEGABYTES_PER_S]\n", stderr);
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4 || argc > 5) return usage();
  const std::optional<std::int64_t> delayUs = readNumber(argv[3]);
  const std::optional<std::int64_t> rate = readNumber(argc > 4 ? argv[4] : "0");
  if (!delayUs || !rate) return usage();
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  std::array<int, 2> descriptors{};
  for (std::size_t end = 0; end < descriptors.size(); ++end) {
    descriptors[end] = openInterface(argv[end + 1]);
    if (descriptors[end] >= 0) continue;
    std::fprintf(stderr, "%s: %s\n", argv[end + 1], std::strerror(errno));
    return 6;
  }
  std::puts("ready");
  std::fflush(stdout);
  const Cable cable{std::chrono::microseconds(*delayUs), static_cast<double>(*rate) * 1e-3};
  pass(descriptors[0], descriptors[1], cable);
}
