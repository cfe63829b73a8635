"""A Slurm of one node, this machine, for as long as a `with` lasts; all its files are in one folder. Needs Debian's slurm-wlm
and munge."""

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
NodeName={host} NodeAddr=127.0.0.1 CPUs={cpus} State=UNKNOWN
PartitionName=all Nodes={host} Default=YES MaxTime=INFINITE State=UP
"""


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class ClusterNode:
    """Jobs that end with `requeue_exit` are queued again. RuntimeError with what its logs say if the node does not come up."""

    def __init__(self, folder: pathlib.Path, requeue_exit: int):
        self.folder, self.requeue_exit = folder.resolve(), requeue_exit
        self.children: list[subprocess.Popen] = []
        self.environment = {**os.environ, "SLURM_CONF": str(self.folder / "slurm.conf")}

    def __enter__(self) -> "ClusterNode":
        shutil.rmtree(self.folder, ignore_errors=True)
        for name in ("state", "spool"):
            (self.folder / name).mkdir(parents=True)
        (self.folder / "slurm.conf").write_text(CONFIGURATION.format(
            host=socket.gethostname(), user=getpass.getuser(), controller=free_port(), daemon=free_port(),
            folder=self.folder, requeue_exit=self.requeue_exit, cpus=os.cpu_count()))
        key = self.folder / "munge.key"
        key.write_bytes(os.urandom(128))
        key.chmod(0o400)
        try:
            self._start("munged", "--foreground", "--force", f"--key-file={key}", f"--socket={self.folder}/munge.socket",
                        f"--pid-file={self.folder}/munge.pid", f"--seed-file={self.folder}/munge.seed",
                        f"--log-file={self.folder}/munge.log")
            self._wait("munge.socket", lambda: (self.folder / "munge.socket").exists())
            self._start("slurmctld", "-D")
            self._start("slurmd", "-D")
            self._wait("an idle node", lambda: "idle" in self.run("sinfo", "-h", "-o", "%T", check=False))
        except BaseException:
            self.__exit__()
            raise
        return self

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

    def _start(self, name: str, *options: str) -> None:
        # Daemons lie in sbin, which is not in everybody's PATH.
        program = shutil.which(name, path=os.environ["PATH"] + ":/usr/sbin")
        if not program:
            raise RuntimeError(f"there is no {name}: apt-get install slurm-wlm munge")
        with open(self.folder / f"{name}.out", "w") as out:
            self.children.append(subprocess.Popen([program, *options], env=self.environment, stdout=out, stderr=out))

    def _wait(self, what: str, holds) -> None:
        end = time.monotonic() + 60
        while not holds():
            if time.monotonic() > end or any(child.poll() is not None for child in self.children):
                logs = "\n".join(f"{path.name}: {path.read_text()[-1000:]}" for path in sorted(self.folder.glob("*.out")))
                raise RuntimeError(f"waited in vain for {what}\n{logs}")
            time.sleep(0.2)
