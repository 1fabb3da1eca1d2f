#include "engine/run/ranks/sockets.h"

#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <memory>
#include <optional>
#include <thread>

#include "engine/base/text.h"
#include "engine/run/ranks/running_time.h"

namespace stagelane::run {
namespace {

constexpr int kBacklog = 512;

struct Descriptor {
  explicit Descriptor(int number) : value(number) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (value >= 0) ::close(value);
  }
  int value;
};

using Addresses = std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)>;

std::string placeOf(const std::string& address, int port) {
  return address + ":" + std::to_string(port);
}

Result<Addresses> resolve(const std::string& address, int port) {
  addrinfo hints{};
  hints.ai_family = AF_UNSPEC;
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  const int status = ::getaddrinfo(address.c_str(), std::to_string(port).c_str(), &hints, &found);
  if (status == 0) return Addresses(found, &::freeaddrinfo);
  return fail(ErrorCode::Invalid, "host '" + address + "': " + ::gai_strerror(status), "",
              "set MASTER_ADDR to an IP address of rank 0's host");
}

int portOf(const sockaddr_storage& address) {
  if (address.ss_family == AF_INET6) {
    return ntohs(reinterpret_cast<const sockaddr_in6&>(address).sin6_port);
  }
  return ntohs(reinterpret_cast<const sockaddr_in&>(address).sin_port);
}

std::optional<sockaddr_storage> nameOf(int descriptor) {
  sockaddr_storage address{};
  socklen_t length = sizeof(address);
  if (::getsockname(descriptor, reinterpret_cast<sockaddr*>(&address), &length) != 0) return {};
  return address;
}

std::optional<std::string> numberOf(int descriptor) {
  const std::optional<sockaddr_storage> address = nameOf(descriptor);
  std::array<char, NI_MAXHOST> text{};
  if (!address || ::getnameinfo(reinterpret_cast<const sockaddr*>(&*address), sizeof(*address),
                                text.data(), text.size(), nullptr, 0, NI_NUMERICHOST) != 0) {
    return {};
  }
  return std::string(text.data());
}

/// One attempt, at most a quarter of a second. Returns this host's address.
std::optional<std::string> connectOnce(const addrinfo& to) {
  constexpr int kPatienceMs = 250;
  const Descriptor socket(
      ::socket(to.ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, to.ai_protocol));
  if (socket.value < 0) return {};
  if (::connect(socket.value, to.ai_addr, to.ai_addrlen) != 0) {
    if (errno != EINPROGRESS) return {};
    pollfd event{socket.value, POLLOUT, 0};
    int failed = 0;
    socklen_t length = sizeof(failed);
    if (::poll(&event, 1, kPatienceMs) != 1 ||
        ::getsockopt(socket.value, SOL_SOCKET, SO_ERROR, &failed, &length) != 0 || failed != 0) {
      return {};
    }
  }
  return numberOf(socket.value);
}

Error cannotListen(const std::string& address, int port, int number) {
  const std::string place = placeOf(address, port);
  if (number == EADDRINUSE) {
    return {ErrorCode::Invalid, "port " + std::to_string(port) + " of " + address + " is in use",
            place, "set MASTER_PORT to a free port, or end the program that uses it"};
  }
  if (number == EADDRNOTAVAIL) {
    return {ErrorCode::Invalid, address + " is not an address of this host, which has rank 0",
            place, "set MASTER_ADDR to an address of the host that has rank 0"};
  }
  return {ErrorCode::Invalid, "cannot listen on " + place + ": " + std::strerror(number), place,
          "set MASTER_ADDR and MASTER_PORT to an address and a port of this host"};
}

}  // namespace

Result<ListeningSocket> listenOn(const std::string& address, int port) {
  STAGELANE_TRY(addresses, resolve(address, port));
  int failed = EADDRNOTAVAIL;
  for (const addrinfo* one = addresses->get(); one != nullptr; one = one->ai_next) {
    Descriptor socket(::socket(one->ai_family, SOCK_STREAM | SOCK_CLOEXEC, one->ai_protocol));
    const int on = 1;
    if (socket.value >= 0) ::setsockopt(socket.value, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
    if (socket.value < 0 || ::bind(socket.value, one->ai_addr, one->ai_addrlen) != 0 ||
        ::listen(socket.value, kBacklog) != 0) {
      failed = errno;
      continue;
    }
    const std::optional<sockaddr_storage> name = nameOf(socket.value);
    if (!name) continue;
    ListeningSocket listening{socket.value, portOf(*name)};
    socket.value = -1;
    return listening;
  }
  return tl::make_unexpected(cannotListen(address, port, failed));
}

Result<std::string> reach(const std::string& address, int port, TimeNs limitNs,
                          const StopCheck& stopped) {
  constexpr auto kPause = std::chrono::milliseconds(20);
  STAGELANE_TRY(addresses, resolve(address, port));
  RunningTime waited;
  do {
    for (const addrinfo* one = addresses->get(); one != nullptr; one = one->ai_next) {
      if (std::optional<std::string> own = connectOnce(*one)) return std::move(*own);
    }
    if (stopped && stopped()) {
      return fail(ErrorCode::EngineFailure,
                  "stopped while connecting to " + placeOf(address, port));
    }
    std::this_thread::sleep_for(kPause);
  } while (waited.elapsedNs() < limitNs);
  return fail(ErrorCode::EngineFailure,
              "nothing listens on " + placeOf(address, port) + " within " +
                  humanTime(static_cast<double>(limitNs)),
              placeOf(address, port),
              "check that rank 0 was started, and that no firewall blocks the port");
}

}  // namespace stagelane::run
