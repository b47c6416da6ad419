package org.galerna.launch.process;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.galerna.launch.ClassesFolder;
import org.galerna.launch.program.ClassNames;
import org.galerna.launch.program.ClassPath;
import org.galerna.launch.program.LauncherAgent;
import org.galerna.launch.program.MainMethod;
import org.galerna.launch.program.ModuleGraph;
import org.galerna.launch.program.NearMisses;
import org.galerna.launch.program.ProgramArguments;
import org.galerna.launch.program.ProgramException;
import org.galerna.launch.rendezvous.AgentConnection;
import org.galerna.launch.rendezvous.JobEndedException;
import org.galerna.launch.rendezvous.Kind;
import org.galerna.launch.rendezvous.Message;
import org.galerna.launch.rendezvous.RendezvousWireup;
import org.galerna.launch.report.ExitStatus;
import org.galerna.launch.report.Outcome;
import org.galerna.launch.watch.Reports;
import org.galerna.link.Collective;
import org.galerna.link.Extensions;
import org.galerna.link.MissedCollective;
import org.galerna.link.RankMonitor;
import org.galerna.link.counters.OwnProcess;
import org.galerna.link.process.EndOfProcess;
import org.galerna.link.wireup.Wireups;

/**
 * Main class of a process that is one rank, started by the agent of its host: finds the agent, then runs the program in
 * the application's class loader, as {@code java} itself would.
 */
public final class RankMain implements AgentConnection.Events {
    private static final String SELECTORS = "java.nio.channels.spi.SelectorProvider";
    private static final String USUAL_SELECTORS = "sun.nio.ch.EPollSelectorProvider";

    private static final int CLASS_PATH = 2;
    private static final int MODULE_PATH = 3;
    private static final int MAIN_CLASS = 4;
    private static final int FIXED = 5;

    private final Path socket;
    private final int rank;
    private final String classPath;
    private final boolean ofModules;
    private final ThreadGroup own;
    private final AgentConnection agent;
    private final RankWatch watch;
    private volatile boolean over;

    private RankMain(Path socket, int rank, String classPath, boolean ofModules) throws IOException {
        this.socket = socket;
        this.rank = rank;
        this.classPath = classPath;
        ClassesFolder.keepFirstOf(classPath);
        this.ofModules = ofModules;
        Thread.currentThread().setName("rank-" + rank);
        ThreadGroup program = Thread.currentThread().getThreadGroup();
        this.own = new ThreadGroup(program.getParent(), "galerna");
        this.agent = AgentConnection.open(socket, rank, this);
        this.watch = new RankWatch(agent, rank, program);
    }

    /** Runs the program: socket of the agent, rank, the program's class path and module path, main class, and its arguments. */
    public static void main(String[] arguments) {
        if (arguments.length < FIXED) {
            System.err.println("galerna: not the arguments of a rank, use the galerna command");
            System.exit(ExitStatus.USAGE);
        }
        if (arguments[MODULE_PATH].isEmpty() && RankMain.class.getModule().isNamed()) {
            bePartOfClassPath(arguments[CLASS_PATH]);
        }
        Path socket = Path.of(arguments[0]);
        int rank = Integer.parseInt(arguments[1]);
        try {
            new RankMain(socket, rank, arguments[CLASS_PATH], !arguments[MODULE_PATH].isEmpty())
                    .run(arguments[MAIN_CLASS], Arrays.copyOfRange(arguments, FIXED, arguments.length));
        } catch (JobEndedException late) {
            System.exit(ExitStatus.FAILED);
        } catch (IOException noAgent) {
            System.err.println(
                    "galerna: rank " + rank + " cannot reach the agent of its host: " + noAgent.getMessage());
            System.exit(ExitStatus.FAILED);
        }
    }

    /** Galerna is a module here, so that nobody has to open its archive. The program sees a class path as in other processes. */
    private static void bePartOfClassPath(String ofProgram) {
        Extensions.exclude();
        String galerna = String.valueOf(System.clearProperty("jdk.module.path"));
        // a concatenation by + would make a class, in each rank
        System.setProperty("java.class.path", galerna.concat(File.pathSeparator).concat(ofProgram));
        if (System.getProperty(SELECTORS) == null
                && System.getProperty("os.name", "").equals("Linux")) {
            // the same that the JDK takes, once it has looked for others on the class path and in all modules
            System.setProperty(SELECTORS, USUAL_SELECTORS);
        }
    }

    private void run(String mainClass, String[] arguments) {
        OwnProcess.runs(mainClass, List.of(arguments));
        ClassLoader loader = ClassLoader.getSystemClassLoader();
        RendezvousWireup wireup = agent.wireup(rank, agent::abort);
        Wireups.bind(loader, wireup);
        EndOfProcess.add(this::sayGoodbye);
        Thread.setDefaultUncaughtExceptionHandler(this::fail);
        agent.start(own);
        watch.start(own);
        try {
            LauncherAgent.start(loader);
        } catch (Throwable thrown) {
            failInMain(thrown);
            return;
        }
        Class<?> program = ofModules ? findInModule(mainClass, loader) : find(mainClass.replace('/', '.'), loader);
        try {
            MainMethod.run(program, ProgramArguments.of(List.of(arguments), wireup, null));
        } catch (Throwable thrown) {
            if (AotCache.isWithLoss(mainClass, arguments)) {
                rehearseFailure(thrown);
            } else {
                failInMain(thrown);
            }
        }
    }

    /** Does all that a rank does which fails because another one is gone, but tells nobody, since its job is to end in good order. */
    private void rehearseFailure(Throwable thrown) {
        Outcome.FailedElsewhere failure = failure(Thread.currentThread(), thrown);
        Collective call = new Collective(0, 1, "Barrier", Collective.NONE, Collective.NONE);
        Message unused = report(new Outcome.FailedElsewhere(
                rank, failure.thread(), failure.text(), true, new MissedCollective(1, false, call, List.of(rank))));
        if (!failure.byLostPeer()) {
            failInMain(thrown);
        }
    }

    private Class<?> find(String mainClass, ClassLoader loader) {
        try {
            Class<?> program = Class.forName(mainClass, false, loader);
            MainMethod.of(program);
            return program;
        } catch (ClassNotFoundException missing) {
            throw refuse(missingClass(mainClass));
        } catch (UnsupportedClassVersionError newer) {
            throw refuse("class " + mainClass + " is compiled for a newer Java than this one, which is "
                    + Runtime.version().feature() + ": " + newer.getMessage());
        } catch (LinkageError broken) {
            throw refuse("class " + mainClass + " cannot be loaded: " + broken);
        } catch (ProgramException noMain) {
            throw refuse(noMain.reason());
        }
    }

    private Class<?> findInModule(String main, ClassLoader loader) {
        String module = main.substring(0, main.indexOf('/'));
        String name = ModuleGraph.classOf(main);
        ModuleGraph.announce(main);
        if (loader.getResource(ClassNames.toResource(name)) == null) {
            throw refuse("there is no class " + name + " in module " + module);
        }
        Class<?> program = find(name, loader);
        if (!module.equals(program.getModule().getName())) {
            throw refuse("there is no class " + name + " in module " + module);
        }
        return program;
    }

    private String missingClass(String mainClass) {
        try (ClassPath programs = ClassPath.open(ClassPath.parse(classPath))) {
            return NearMisses.describe(mainClass, programs);
        } catch (IOException unclosable) {
            return "class " + mainClass + " not found";
        }
    }

    private RuntimeException refuse(String reason) {
        agent.tell(Message.of(Kind.NOT_STARTED, rank, 0, reason));
        over = true;
        System.exit(ExitStatus.USAGE);
        throw new IllegalStateException("after the end");
    }

    // ---- the end

    private void failInMain(Throwable thrown) {
        Thread main = Thread.currentThread();
        Thread.UncaughtExceptionHandler programs = Thread.getDefaultUncaughtExceptionHandler();
        if (programs != null) {
            try {
                programs.uncaughtException(main, thrown);
            } catch (Throwable ofHandler) {
                thrown.addSuppressed(ofHandler);
            }
        }
        fail(main, thrown);
    }

    /** An exception that nobody has caught ends the job, whichever thread it was. */
    private void fail(Thread thread, Throwable thrown) {
        if (!over) {
            try {
                agent.tell(report(failure(thread, thrown)));
            } catch (OutOfMemoryError full) {
                Runtime.getRuntime().halt(ExitStatus.FAILED);
            }
        }
        if (!EndOfProcess.hasBegun()) { // a shutdown hook that calls exit would never end
            System.exit(ExitStatus.FAILED);
        }
    }

    private Outcome.FailedElsewhere failure(Thread thread, Throwable thrown) {
        String name = thread.getName().isEmpty() ? "virtual " + thread.threadId() : thread.getName();
        return Outcome.FailedElsewhere.of(rank, name, thrown);
    }

    private Message report(Outcome.FailedElsewhere failure) {
        return Message.of(Kind.FAILED, rank, 0, Reports.writeFailure(failure));
    }

    private void sayGoodbye() {
        if (over) {
            return;
        }
        Optional<RankMonitor> unfinished = agent.monitor(rank).filter(monitor -> !monitor.finished());
        agent.leave(rank, unfinished.isPresent());
        unfinished.ifPresent(RankMonitor::abandon);
    }

    @Override
    public void asked() {
        agent.tell(Message.of(Kind.POSITIONS, rank, 0, Reports.writePositions(watch.positions())));
    }

    @Override
    public void askedToLook(long round, boolean afresh) {
        watch.ask(round, afresh);
    }

    @Override
    public void jobIsOver() {
        over = true;
    }

    @Override
    public void agentLost() {
        over = true; // nobody hears a goodbye
        LostAgent.end(socket, classPath);
    }
}
