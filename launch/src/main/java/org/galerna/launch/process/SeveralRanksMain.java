package org.galerna.launch.process;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.galerna.launch.BindTo;
import org.galerna.launch.ProgramModules;
import org.galerna.launch.RankGroup;
import org.galerna.launch.RankSystemLoader;
import org.galerna.launch.ThreadJob;
import org.galerna.launch.program.ClassPath;
import org.galerna.launch.rendezvous.AgentConnection;
import org.galerna.launch.rendezvous.JobEndedException;
import org.galerna.launch.rendezvous.Kind;
import org.galerna.launch.rendezvous.Message;
import org.galerna.launch.report.ExitStatus;
import org.galerna.launch.report.JobResult;
import org.galerna.launch.report.Outcome;
import org.galerna.launch.watch.DeadlockDecision.Conclusion;
import org.galerna.launch.watch.Question;
import org.galerna.launch.watch.Reports;
import org.galerna.launch.watch.Standstill;
import org.galerna.link.RankMonitor;
import org.galerna.link.Wireup;
import org.galerna.link.counters.OwnProcess;
import org.jspecify.annotations.Nullable;

/**
 * Main class of a process of several ranks, which are threads with classes of their own, as those of a {@link ThreadJob}
 * are; started by the agent of its host.
 */
public final class SeveralRanksMain implements AgentConnection.Events, RankGroup {
    private static final int FIXED = 8;

    private final Path socket;
    private final int first;
    private final int ranks;
    private final String classPath;
    private final ProgramModules modules;
    private final String mainClass;
    private final AgentConnection agent;
    private final ThreadJob job;
    /** Written by the thread that reads what the agent says. */
    private volatile Question question = Question.FIRST;

    private SeveralRanksMain(List<String> arguments) throws IOException {
        this.socket = Path.of(arguments.get(0));
        this.first = Integer.parseInt(arguments.get(1));
        this.ranks = Integer.parseInt(arguments.get(2));
        this.classPath = arguments.get(4);
        this.modules = new ProgramModules(
                arguments.get(5),
                arguments.get(6).isEmpty()
                        ? List.of()
                        : List.of(arguments.get(6).split(" ")));
        this.mainClass = arguments.get(7);
        OwnProcess.runs(mainClass, arguments.subList(FIXED, arguments.size()));
        this.agent = AgentConnection.open(socket, first, this);
        this.job = ThreadJob.builder()
                .ranks(ranks)
                .labelled(Boolean.parseBoolean(arguments.get(3)))
                .classPath(classPath.isEmpty() ? List.of() : ClassPath.parse(classPath))
                .modules(modules)
                .mainClass(mainClass)
                .arguments(arguments.subList(FIXED, arguments.size()))
                .bindTo(BindTo.NONE)
                .deadlockTimeout(agent.welcome().deadlockTimeout())
                .partOf(this::join, agent.welcome().cores(), agent.welcome().everywhere())
                .build();
    }

    /** Runs the ranks: socket of the agent, first rank, number, labelled, class path, modules, main class, arguments. */
    public static void main(String[] arguments) {
        if (arguments.length < FIXED) {
            System.err.println("galerna: not the arguments of ranks, use the galerna command");
            System.exit(ExitStatus.USAGE);
        }
        RankSystemLoader.install();
        try {
            new SeveralRanksMain(List.of(arguments)).run();
        } catch (JobEndedException late) {
            System.exit(ExitStatus.FAILED);
        } catch (IOException noAgent) {
            System.err.println("galerna: the process of rank " + arguments[1] + " cannot reach the agent of its host: "
                    + noAgent.getMessage());
            System.exit(ExitStatus.FAILED);
        }
    }

    private void run() {
        // programs look up where they are from
        System.setProperty(
                "java.class.path", classPath + File.pathSeparator + System.getProperty("java.class.path", ""));
        modules.announce(mainClass);
        agent.start(Thread.currentThread().getThreadGroup());
        JobResult result = job.run();
        tell(result.outcome());
        System.exit(result.status());
    }

    private void tell(Outcome outcome) {
        switch (outcome) {
            case Outcome.Exited exited -> agent.tell(Message.of(Kind.EXITED, exited.rank(), exited.status()));
            case Outcome.Aborted aborted ->
                agent.tell(Message.of(Kind.ABORT, aborted.rank(), aborted.status(), aborted.reason()));
            case Outcome.Failed failed ->
                agent.tell(Message.of(
                        Kind.FAILED,
                        failed.rank(),
                        0,
                        Reports.writeFailure(
                                Outcome.FailedElsewhere.of(failed.rank(), failed.thread(), failed.exception()))));
            case Outcome.NotStarted notStarted ->
                agent.tell(Message.of(Kind.NOT_STARTED, first, 0, notStarted.reason()));
            default -> {}
        }
    }

    // ---- the ranks

    private RankGroup join(Events events) {
        for (int rank = first; rank < first + ranks; rank++) {
            agent.wireup(rank, events::aborted);
        }
        return this;
    }

    @Override
    public int first() {
        return first;
    }

    @Override
    public Wireup wireup(int rank) {
        return agent.wireup(rank);
    }

    @Override
    public @Nullable RankMonitor monitor(int rank) {
        return agent.monitor(rank).orElse(null);
    }

    @Override
    public void left(int rank, boolean unfinished) {
        agent.tell(Message.of(Kind.BYE, rank, unfinished ? 1 : 0));
    }

    @Override
    public Question question() {
        return question;
    }

    @Override
    public Optional<Conclusion> standStill(long round, Standstill standstill) {
        agent.tell(Message.of(Kind.STANDSTILL, first, round, Reports.writeStandstill(standstill)));
        return Optional.empty();
    }

    // ---- the agent

    @Override
    public void asked() {
        agent.tell(Message.of(Kind.POSITIONS, first, 0, Reports.writePositions(job.positions())));
    }

    @Override
    public void askedToLook(long round, boolean afresh) {
        question = question.with(round, afresh);
    }

    @Override
    public void jobIsOver() {
        // a signal follows, and whoever does not obey is killed
    }

    @Override
    public void agentLost() {
        LostAgent.end(socket, classPath);
    }
}
