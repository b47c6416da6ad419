package org.galerna.testkit.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * A Slurm cluster of two nodes that are both this machine, without anything that has to be set up: no user, no key, no
 * fixed port, all files in one temporary folder. Where Slurm is not installed, {@link #start} skips the test.
 */
public final class SlurmCluster implements AutoCloseable {
    private static final String PACKAGES = "slurmctld slurmd slurm-client slurm-wlm-basic-plugins";
    private static final Duration LONGEST = Duration.ofSeconds(30);
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(50);
    private static final int NODES = 2;

    private final Path folder;
    private final Map<String, String> environment;
    private final List<ChildProcess> daemons = new ArrayList<>();

    private SlurmCluster(Path folder) {
        this.folder = folder;
        this.environment = Map.of("SLURM_CONF", folder.resolve("slurm.conf").toString());
    }

    /** Starts the daemons, and waits until both nodes can be used. */
    public static SlurmCluster start() throws InterruptedException {
        String controller = Tools.require("slurmctld", PACKAGES).toString();
        String node = Tools.require("slurmd", PACKAGES).toString();
        Tools.require("srun", PACKAGES);
        SlurmCluster cluster = create();
        try {
            cluster.daemons.add(cluster.run(List.of(controller, "-D", "-c")));
            for (int index = 0; index < NODES; index++) {
                cluster.daemons.add(cluster.run(List.of(node, "-D", "-N", "n" + index)));
            }
            cluster.awaitNodes();
            return cluster;
        } catch (RuntimeException | Error | InterruptedException failed) {
            cluster.close();
            throw failed;
        }
    }

    private static SlurmCluster create() {
        try {
            // sockets of PMIx lie below it, whose names may not be long
            SlurmCluster cluster = new SlurmCluster(Files.createTempDirectory(Path.of("/tmp"), "slurm"));
            for (String each : List.of("state", "spool-n0", "spool-n1", "tmp-n0", "tmp-n1")) {
                Files.createDirectory(cluster.folder.resolve(each));
            }
            Files.writeString(cluster.folder.resolve("slurm.conf"), cluster.configuration());
            return cluster;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String configuration() throws IOException {
        String host = InetAddress.getLocalHost().getHostName();
        List<Integer> ports = freePorts(1 + NODES);
        StringBuilder text = new StringBuilder("""
                ClusterName=test
                SlurmctldHost=HOST(127.0.0.1)
                SlurmctldPort=PORT
                SlurmUser=USER
                SlurmdUser=USER
                AuthType=auth/none
                CredType=cred/none
                ProctrackType=proctrack/pgid
                TaskPlugin=task/none
                SwitchType=switch/none
                MpiDefault=pmix
                SelectType=select/cons_tres
                SelectTypeParameters=CR_CPU
                SchedulerType=sched/builtin
                AccountingStorageType=accounting_storage/none
                JobAcctGatherType=jobacct_gather/none
                ReturnToService=2
                MinJobAge=2
                MailProg=/bin/true
                SlurmdParameters=config_overrides
                StateSaveLocation=FOLDER/state
                SlurmdSpoolDir=FOLDER/spool-%n
                TmpFS=FOLDER/tmp-%n
                SlurmctldPidFile=FOLDER/slurmctld.pid
                SlurmdPidFile=FOLDER/slurmd-%n.pid
                SlurmctldLogFile=FOLDER/slurmctld.log
                SlurmdLogFile=FOLDER/slurmd-%n.log
                PartitionName=all Nodes=n0,n1 Default=YES MaxTime=INFINITE State=UP OverSubscribe=FORCE:16
                """.replace("HOST", host)
                .replace("PORT", String.valueOf(ports.getFirst()))
                .replace("USER", System.getProperty("user.name"))
                .replace("FOLDER", folder.toString()));
        for (int index = 0; index < NODES; index++) {
            text.append("NodeName=n" + index + " NodeHostname=" + host + " NodeAddr=127.0.0.1 Port="
                    + ports.get(index + 1) + " CPUs=4 RealMemory=1000 State=UNKNOWN\n");
        }
        return text.toString();
    }

    private static List<Integer> freePorts(int count) throws IOException {
        List<ServerSocket> sockets = new ArrayList<>();
        try {
            for (int index = 0; index < count; index++) {
                sockets.add(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
            }
            return sockets.stream().map(ServerSocket::getLocalPort).toList();
        } finally {
            for (ServerSocket socket : sockets) {
                socket.close();
            }
        }
    }

    private void awaitNodes() throws InterruptedException {
        long deadline = System.nanoTime() + LONGEST.toNanos();
        String idle = "";
        while (!idle.strip().equals("idle " + NODES)) {
            if (System.nanoTime() > deadline) {
                throw new AssertionError("the nodes are not idle after " + LONGEST + " but: " + idle + "\n" + logs());
            }
            LockSupport.parkNanos(BETWEEN_LOOKS.toNanos());
            try (ChildProcess look = run(List.of("sinfo", "-h", "-o", "%T %D"))) {
                look.awaitExit(LONGEST);
                idle = look.out();
            }
        }
    }

    /** What commands of Slurm need in their environment to find this cluster. */
    public Map<String, String> environment() {
        return environment;
    }

    /** {@code srun} with one of its kinds of PMI. Tasks alternate between the nodes. */
    public JobLauncher srun(String mpi) {
        if (mpi.equals("pmix")) {
            Tools.requireLibrary("libpmix.so", "libpmix-dev"); // by its plain name, which only that package has
        }
        return new JobLauncher(
                "srun --mpi=" + mpi,
                List.of(
                        Tools.require("srun", PACKAGES).toString(),
                        "--mpi=" + mpi,
                        "--quiet",
                        "--distribution=cyclic",
                        "-n"),
                environment);
    }

    private ChildProcess run(List<String> command) {
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().putAll(environment);
        return ChildProcess.start(builder);
    }

    /** What the daemons have written. */
    private String logs() {
        StringBuilder text = new StringBuilder();
        daemons.forEach(daemon -> text.append(daemon.out()).append(daemon.err()));
        return text.toString();
    }

    @Override
    public void close() {
        try {
            try (ChildProcess cancel = run(List.of(
                    "scancel", "--quiet", "--state=RUNNING", "--signal=KILL", "-u", System.getProperty("user.name")))) {
                cancel.awaitExit(LONGEST);
            }
            // the nodes first, while the controller still answers them
            for (ChildProcess daemon : daemons.reversed()) {
                daemon.signal("TERM");
                daemon.awaitExit(LONGEST);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } finally {
            daemons.forEach(ChildProcess::close);
            deleteFolder();
        }
    }

    private void deleteFolder() {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path each : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(each);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
