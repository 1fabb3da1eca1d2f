"""An sshd on loopback with throw-away keys, as the host `box` of an ssh configuration of its own.

It runs in the foreground as a child of the test, on a free high port, and reads and writes only the test's folder. The
host's cache is a folder with a blank in its name.
"""

import getpass
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import time

PATIENCE_S = 20


def find_sshd():
    """The program, or None. It must be started with an absolute path."""
    return shutil.which("sshd", path=os.environ.get("PATH", "") + ":/usr/sbin:/usr/local/sbin")


def children_of(pid):
    found = []
    for task in pathlib.Path(f"/proc/{pid}/task").iterdir():
        try:
            found += [int(child) for child in (task / "children").read_text().split()]
        except (FileNotFoundError, ProcessLookupError):
            pass
    return found


class Sshd:
    """@p root: an empty folder for keys, configuration, and the host's cache."""

    def __init__(self, root):
        self.root = pathlib.Path(root)
        self.process = None
        self.stopped = []
        self.cache = self.root / "cache of box"
        self.cache.mkdir()
        with socket.socket() as one:
            one.bind(("127.0.0.1", 0))
            self.port = one.getsockname()[1]
        for key in ("host", "me", "stranger"):
            subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", self.root / key], check=True)
        shutil.copy(self.root / "me.pub", self.root / "authorized")
        if os.geteuid() == 0:
            pathlib.Path("/run/sshd").mkdir(exist_ok=True)  # sshd separates its privileges there
        (self.root / "sshd_config").write_text(
            f"Port {self.port}\nListenAddress 127.0.0.1\nHostKey {self.root}/host\n"
            f"AuthorizedKeysFile {self.root}/authorized\nPidFile {self.root}/pid\nStrictModes no\nUsePAM no\n"
            "PasswordAuthentication no\nKbdInteractiveAuthentication no\nPermitRootLogin prohibit-password\n"
            f'SetEnv "XDG_CACHE_HOME={self.cache}"\n')
        public = (self.root / "host.pub").read_text().split()[:2]
        (self.root / "known").write_text(f"[127.0.0.1]:{self.port} {' '.join(public)}\n")
        (self.root / "unknown").write_text("")
        self.write_configuration()
        self.start()

    def write_configuration(self):
        common = (f"  HostName 127.0.0.1\n  User {getpass.getuser()}\n  IdentitiesOnly yes\n  IdentityAgent none\n"
                  "  StrictHostKeyChecking yes\n")
        hosts = {"box": ("me", "known", self.port), "refuses": ("stranger", "known", self.port),
                 "new": ("me", "unknown", self.port), "off": ("me", "known", 1)}
        text = "".join(f"Host {name}\n{common}  Port {port}\n  IdentityFile {self.root}/{key}\n"
                       f"  UserKnownHostsFile {self.root}/{known}\n" for name, (key, known, port) in hosts.items())
        (self.root / "ssh_config").write_text(text)

    @property
    def command(self):
        """For STAGELANE_SSH."""
        return f'ssh -F "{self.root}/ssh_config"'

    @property
    def runs(self):
        """The folders of runs that are on the host."""
        folder = self.cache / "stagelane/runs"
        return sorted(folder.iterdir()) if folder.is_dir() else []

    def start(self):
        with open(self.root / "sshd.log", "a") as log:
            self.process = subprocess.Popen([find_sshd(), "-D", "-e", "-f", str(self.root / "sshd_config")],
                                            stderr=log)
        end = time.monotonic() + PATIENCE_S
        while time.monotonic() < end:
            with socket.socket() as one:
                if one.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            time.sleep(0.02)
        raise AssertionError((self.root / "sshd.log").read_text())

    def sessions(self):
        return children_of(self.process.pid)

    def kill_sessions(self):
        """All connections end, as if the network had been cut and both sides had been told."""
        killed = self.sessions()
        for pid in killed:
            os.kill(pid, signal.SIGKILL)
        return len(killed)

    def stop_sessions(self):
        """All connections go silent, as with a cable pulled out."""
        self.stopped = self.sessions()
        for pid in self.stopped:
            os.kill(pid, signal.SIGSTOP)
        return len(self.stopped)

    def close(self):
        """No connection is accepted any more, and those that exist end."""
        if self.process is None:
            return
        self.process.send_signal(signal.SIGSTOP)  # accepts none meanwhile
        self.kill_sessions()
        self.process.kill()
        self.process.wait()
        self.process = None
