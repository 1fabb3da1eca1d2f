#include "app/engine_client/host_lookup.h"

#include <functional>
#include <utility>
#include <vector>

#include "app/engine_client/event_members.h"
#include "app/engine_client/remote/host_check.h"
#include "app/engine_client/remote/hosts.h"
#include "app/engine_client/ssh_aliases.h"
#include "engine/plan/hosts.h"
#include "engine/workspace/workspace.h"
#include "ui/kit/text/formatting.h"
#include "ui/session/machine.h"
#include "ui/session/session.h"

namespace stagelane::app {
namespace {

ui::KnownHost shownHost(const RemoteHost& host) {
  ui::KnownHost shown{ui::qstring(host.name),
                      ui::qstring(host.engine),
                      ui::qstring(host.version),
                      ui::qstring(host.checkedAt),
                      {}};
  for (const Json& entry : host.devices) {
    ui::HostDevice device;
    device.id = plan::onHost(host.name, DeviceId{textAt(entry, "id")});
    device.name = ui::qstring(textAt(entry, "name"));
    device.memory = static_cast<Bytes>(numberAt(entry, "memory_bytes"));
    device.isGpu = textAt(entry, "kind") == "gpu";
    device.usable = flagAt(entry, "usable");
    device.reason = ui::qstring(textAt(entry, "reason"));
    shown.devices.push_back(std::move(device));
  }
  return shown;
}

/// A step that hands the list of hosts to the pages.
std::function<void()> listed(ui::Hosts* hosts) {
  std::vector<ui::KnownHost> known;
  const auto stored = readHosts(workspace::workspaceRoot());
  if (stored) {
    for (const RemoteHost& host : *stored) known.push_back(shownHost(host));
  }
  const QString problem = stored ? QString() : ui::errorText(stored.error());
  return [hosts, known, problem, aliases = sshAliases()] {
    hosts->setList(known, aliases);
    if (!problem.isEmpty()) hosts->fail(problem);
  };
}

/// What a person can try in a terminal, where ssh may ask questions.
QString commandFor(const QString& host) {
  const QString ssh = qEnvironmentVariable("STAGELANE_SSH", u"ssh"_s);
  return u"%1 %2"_s.arg(ssh, host);
}

ui::HostAnswer answerTo(const ui::HostQuery& query, const std::atomic<bool>& canceled) {
  const Status name = plan::checkHostName(ui::utf8(query.name));
  if (!name) return {{}, ui::sentenceText(name.error()), {}};
  RemoteHost asked;
  asked.name = ui::utf8(query.name);
  asked.engine = ui::utf8(query.engine);
  const Result<RemoteHost> found = checkHost(asked, canceled);
  if (!found) return {{}, ui::sentenceText(found.error()), commandFor(query.name)};
  const Status saved = saveHost(workspace::workspaceRoot(), *found);
  return {shownHost(*found), saved ? QString() : ui::errorText(saved.error()), {}};
}

}  // namespace

HostLookup::HostLookup(ui::Session* session, QObject* parent)
    : QObject(parent), m_hosts(&session->machine().hosts()) {
  connect(m_hosts, &ui::Hosts::listRequested, this, &HostLookup::list);
  connect(m_hosts, &ui::Hosts::checkRequested, this, &HostLookup::check);
  connect(m_hosts, &ui::Hosts::checkCanceled, &m_checking, &ui::LatestJob::cancel);
  connect(m_hosts, &ui::Hosts::removeRequested, this, &HostLookup::remove);
}

void HostLookup::list() {
  m_listing.start([this](const std::atomic<bool>&) { return listed(m_hosts); });
}

void HostLookup::check(const ui::HostQuery& query) {
  m_checking.start([this, query](const std::atomic<bool>& canceled) {
    return [this, answer = answerTo(query, canceled), lists = listed(m_hosts)] {
      lists();
      m_hosts->answer(answer);
    };
  });
}

void HostLookup::remove(const QString& name) {
  m_listing.start([this, name](const std::atomic<bool>&) {
    const Status removed = removeHost(workspace::workspaceRoot(), ui::utf8(name));
    return [this, problem = removed ? QString() : ui::errorText(removed.error()),
            lists = listed(m_hosts)] {
      lists();
      if (!problem.isEmpty()) m_hosts->fail(problem);
    };
  });
}

}  // namespace stagelane::app
