"""A Slurm of one node, this machine, for as long as a `with` lasts; all its files are in one folder. Needs Debian's slurm-wlm
and munge, installed or unpacked by `dpkg -x` into a folder."""

import getpass
import os
import pathlib
import shutil
import socket
import subprocess
import time

CONFIGURATION = """\
ClusterName=tilescope
SlurmctldHost={host}(127.0.0.1)
SlurmUser={user}
SlurmdUser={user}
SlurmctldPort={controller}
SlurmdPort={daemon}
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
CryptoType=crypto/munge
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=sched_interval=1,batch_sched_delay=1
RequeueExit={requeue_exit}
ReturnToService=2
SlurmdParameters=config_overrides
PluginDir={plugins}
NodeName={host} NodeAddr=127.0.0.1 CPUs={cpus} {gres} State=UNKNOWN
PartitionName=all Nodes={host} Default=YES MaxTime=INFINITE State=UP
"""


# Any device will do for a GPU where no cgroup guards it: CUDA_VISIBLE_DEVICES gets the number behind its name, and those of
# /dev/nvidia* may be others than CUDA counts here.
GPUS = """\
NodeName={host} Name=gpu File={folder}/gpu[0-{last}]
"""
LIBRARIES = "usr/lib/x86_64-linux-gnu"


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class ClusterNode:
    """Jobs that end with `requeue_exit` are queued again, and may ask for `gpus` GPUs; `root` is where Debian's packages are
    unpacked. RuntimeError with what its logs say if the node does not come up."""

    def __init__(self, folder: pathlib.Path, requeue_exit: int, gpus: int = 0, root: pathlib.Path = pathlib.Path("/")):
        self.folder, self.requeue_exit, self.gpus, self.root = folder.resolve(), requeue_exit, gpus, root.resolve()
        self.children: list[subprocess.Popen] = []
        self.environment = {**os.environ, "SLURM_CONF": str(self.folder / "slurm.conf")}
        if self.root != pathlib.Path("/"):
            # Daemons lie in sbin; libraries of Slurm's own beside its plugins.
            paths = {"PATH": ("usr/bin", "usr/sbin"), "LD_LIBRARY_PATH": (LIBRARIES, f"{LIBRARIES}/slurm-wlm")}
            for name, folders in paths.items():
                known = [os.environ[name]] if name in os.environ else []
                self.environment[name] = ":".join([*(str(self.root / path) for path in folders), *known])

    def __enter__(self) -> "ClusterNode":
        shutil.rmtree(self.folder, ignore_errors=True)
        for name in ("state", "spool"):
            (self.folder / name).mkdir(parents=True)
        self._configure()
        key = self.folder / "munge.key"
        key.write_bytes(os.urandom(128))
        key.chmod(0o400)
        try:
            self._start("munged", "--foreground", "--force", f"--key-file={key}", f"--socket={self.folder}/munge.socket",
                        f"--pid-file={self.folder}/munge.pid", f"--seed-file={self.folder}/munge.seed",
                        f"--log-file={self.folder}/munge.log")
            self._wait("munge.socket", lambda: (self.folder / "munge.socket").exists())
            self._start("slurmctld", "-D")
            self._start("slurmd", "-D", "-d", self._program("slurmstepd"))
            self._wait("an idle node", lambda: "idle" in self.run("sinfo", "-h", "-o", "%T", check=False))
        except BaseException:
            self.__exit__()
            raise
        return self

    def _configure(self) -> None:
        host = socket.gethostname()
        settings = CONFIGURATION.format(
            host=host, user=getpass.getuser(), controller=free_port(), daemon=free_port(), folder=self.folder,
            requeue_exit=self.requeue_exit, cpus=os.cpu_count(), plugins=self.root / LIBRARIES / "slurm-wlm",
            gres=f"Gres=gpu:{self.gpus}" if self.gpus else "")
        if self.gpus:
            settings += "GresTypes=gpu\n"
            for number in range(self.gpus):
                (self.folder / f"gpu{number}").symlink_to("/dev/null")
            (self.folder / "gres.conf").write_text(GPUS.format(host=host, folder=self.folder, last=self.gpus - 1))
        (self.folder / "slurm.conf").write_text(settings)
        # Nothing here asks for a cgroup, and in a container there may be none to find.
        (self.folder / "cgroup.conf").write_text("CgroupPlugin=cgroup/v1\n")

    def __exit__(self, *_) -> None:
        for child in reversed(self.children):
            child.terminate()
        for child in reversed(self.children):
            try:
                child.wait(20)
            except subprocess.TimeoutExpired:
                child.kill()

    def run(self, *command: str, check: bool = True) -> str:
        """One of Slurm's commands, with what it prints."""
        done = subprocess.run(command, env=self.environment, cwd=self.folder, capture_output=True, text=True)
        if check and done.returncode:
            raise RuntimeError(f"{command[0]} ended with {done.returncode}: {done.stderr.strip()}")
        return done.stdout

    def _program(self, name: str) -> str:
        # Daemons lie in sbin, which is not in everybody's PATH.
        places = self.environment["PATH"] + ":/usr/sbin"
        if installed := shutil.which(name, path=places):
            return installed
        unpacked = shutil.which(f"{name}-wlm", path=places)
        if not unpacked:
            raise RuntimeError(f"there is no {name}: apt-get install slurm-wlm munge")
        # Its own name is a link that installation makes, and they go by it.
        link = self.folder / name
        link.symlink_to(unpacked)
        return str(link)

    def _start(self, name: str, *options: str) -> None:
        program = self._program(name)
        with open(self.folder / f"{name}.out", "w") as out:
            self.children.append(subprocess.Popen([program, *options], env=self.environment, stdout=out, stderr=out))

    def _wait(self, what: str, holds) -> None:
        end = time.monotonic() + 60
        while not holds():
            if time.monotonic() > end or any(child.poll() is not None for child in self.children):
                logs = "\n".join(f"{path.name}: {path.read_text()[-1000:]}" for path in sorted(self.folder.glob("*.out")))
                raise RuntimeError(f"waited in vain for {what}\n{logs}")
            time.sleep(0.2)
