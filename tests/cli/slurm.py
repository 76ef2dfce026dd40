"""kairos study --slurm against a real Slurm of one node, which this script starts and ends."""
import csv, os, shutil, socket, subprocess, sys, time

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import program
from program import KAIROS, call, check, write

MODEL = """model Slow
  parameter Real k = 1;
  Real x(start = 1, fixed = true);
equation
  der(x) = -k*x;
end Slow;
"""
STUDY = """model: Slow.mo
stop-time: 20
solver: euler
step: 1e-3
factors: {k: {uniform: [0.5, 2]}}
design: {kind: random, points: %d, seed: 9}
keep: {x: end(x)}
output: {file: slow.h5}
"""
CONF = """ClusterName=test
SlurmctldHost={host}(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket,cred_expire=5
CredType=cred/munge
SlurmctldPort={port}
SlurmdPort={port2}
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/ctld.pid
SlurmdPidFile={folder}/d.pid
SlurmctldLogFile={folder}/ctld.log
SlurmdLogFile={folder}/d.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
ReturnToService=2
SchedulerParameters=bf_interval=1
MaxArraySize=5
NodeName={host} NodeAddr=127.0.0.1 CPUs={cpus} RealMemory=1000 State=UNKNOWN
PartitionName=main Nodes={host} Default=YES MaxTime=INFINITE State=UP
"""
PROGRAMS = "munged", "slurmctld", "slurmd", "sbatch"


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


class Slurm:
    """munged, slurmctld and slurmd in the foreground, with all files in one folder."""

    def __init__(self):
        self.folder = os.path.abspath("slurm")
        for name in "state", "spool":
            os.makedirs(os.path.join(self.folder, name))
        os.chmod(self.folder, 0o755)
        host = socket.gethostname().split(".")[0]
        conf = os.path.join(self.folder, "slurm.conf")
        write(conf, CONF.format(host=host, folder=self.folder, port=free_port(), port2=free_port(),
                                cpus=os.cpu_count()))
        self.env = dict(os.environ, SLURM_CONF=conf, PATH=os.environ["PATH"] + ":/usr/sbin:/sbin")
        key = os.path.join(self.folder, "key")
        with open(key, "wb") as f:
            f.write(os.urandom(128))
        os.chmod(key, 0o400)
        munge = ["munged", "--foreground", "--force", "--key-file=" + key]
        munge += ["--%s-file=%s/munge.%s" % (n, self.folder, n) for n in ("pid", "log", "seed")]
        self.processes = [self.start(munge + ["--socket=%s/munge.socket" % self.folder])]
        self.wait_for(lambda: os.path.exists(self.folder + "/munge.socket"))
        self.processes.append(self.start(["slurmctld", "-D", "-f", conf]))
        self.processes.append(self.start(["slurmd", "-D", "-f", conf, "-N", host]))
        self.wait_for(lambda: "idle" in self.call("sinfo", "-h", "-o", "%T"))

    def start(self, words):
        return subprocess.Popen(words, env=self.env, stdout=subprocess.DEVNULL,
                                stderr=subprocess.DEVNULL)

    def call(self, *words):
        return subprocess.run(words, env=self.env, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True).stdout

    def wait_for(self, what):
        for _ in range(1800):  # Slurm starts a job that went back to the queue after a minute
            if what():
                return
            time.sleep(0.1)
        raise AssertionError("Slurm does not answer: " + self.log())

    def log(self):
        text = ""
        for name in "munge.log", "ctld.log", "d.log":
            if os.path.exists(os.path.join(self.folder, name)):
                with open(os.path.join(self.folder, name), errors="replace") as f:
                    text += f.read()[-1500:]
        return text

    def end(self):
        self.call("scancel", "--full", "--user=root")
        for p in reversed(self.processes):
            p.terminate()
        for p in self.processes:
            try:
                p.wait(20)
            except subprocess.TimeoutExpired:
                p.kill()
                p.wait()


def results():
    return [open(f, "rb").read() for f in ("slow.h5", "slow.csv")]


def rows():
    with open("slow.csv", newline="") as f:
        return list(csv.DictReader(f))


def journals():
    """Whether some points are finished."""
    folder = "slow.journal"
    names = os.listdir(folder) if os.path.exists(folder) else []
    return sum(os.path.getsize(os.path.join(folder, f)) for f in names) > 3000


def test_a_study_as_a_job():
    path = os.environ["PATH"] + ":/usr/sbin:/sbin"
    missing = [p for p in PROGRAMS if not shutil.which(p, path=path)]
    if missing or os.geteuid() != 0:
        print("skipped: %s" % (missing or "needs root"))
        return
    write("Slow.mo", MODEL)
    write("slow.yaml", STUDY % 60)
    rc, _, err = call("study", "slow.yaml")
    check("here", rc == 0, err)
    right = short = results()
    os.remove("slow.h5")
    os.remove("slow.csv")
    slurm = Slurm()
    try:
        rc, out, err = call("study", "slow.yaml", "--slurm", "--tasks", "2", "--time", "10:00",
                            env=slurm.env, timeout=300)
        log = open("slow.h5.slurm.log").read() if os.path.exists("slow.h5.slurm.log") else ""
        check("the job ends well", rc == 0, (out, err, log, slurm.log()))
        check("same bytes", results() == right)
        check("its log", "60 points, 60 ok" in log, log)

        # a long job that is ended on its way: the next one continues
        write("slow.yaml", STUDY % 1500)
        rc, _, err = call("study", "slow.yaml")
        check("long, here", rc == 0, err)
        right = results()
        os.remove("slow.h5")
        os.remove("slow.csv")
        rc, out, err = call("study", "slow.yaml", "--slurm", "--tasks", "1", "--no-wait",
                            env=slurm.env)
        check("submitted", rc == 0 and out.strip().isdigit(), (out, err))
        slurm.wait_for(journals)
        slurm.call("scancel", "--full", "--signal=KILL", out.strip())
        slurm.wait_for(lambda: not slurm.call("squeue", "-h").strip())
        check("not complete", not os.path.exists("slow.csv"))
        rc, _, err = call("study", "slow.yaml")
        check("continues here", rc == 0 and "points are finished" in err, err)
        check("same bytes after a job that was ended", results() == right)
        # the guard of a compiler was ended with the job; the next compilation removes its folder
        write("Quick.mo", "model Quick\n  Real x = time;\nend Quick;\n")
        rc, _, err = call("simulate", "Quick.mo", "--compiler", "cc")
        check("compiled", rc == 0, err)

        # the warning before the time limit: the job goes back to the queue and continues
        os.remove("slow.h5")
        os.remove("slow.csv")
        os.remove("slow.h5.slurm.log")
        rc, out, err = call("study", "slow.yaml", "--slurm", "--tasks", "1", "--no-wait",
                            env=slurm.env)
        slurm.wait_for(journals)
        slurm.call("scancel", "--batch", "--signal=USR1", out.strip())
        slurm.wait_for(lambda: not slurm.call("squeue", "-h").strip())
        log = open("slow.h5.slurm.log").read()
        check("requeued", "points are not finished" in log and "points are finished" in log, log)
        check("same bytes after the queue", results() == right)

        # an array of jobs, of which the last one merges; Slurm allows four here
        write("slow.yaml", STUDY % 60)
        rc, out, err = call("study", "slow.yaml", "--slurm", "--array", "9", "--tasks", "1",
                            env=slurm.env, timeout=300)
        check("an array", rc == 0 and "arrays of 4 jobs" in err, (out, err, slurm.log()))
        check("same bytes of an array", results() == short)
    finally:
        slurm.end()


program.run_tests()
