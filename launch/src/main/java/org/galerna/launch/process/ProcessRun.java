package org.galerna.launch.process;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.Charset;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.galerna.launch.output.OutputChannel;
import org.galerna.launch.process.Layout.Share;
import org.galerna.launch.rendezvous.FieldWriter;
import org.galerna.launch.rendezvous.Kind;
import org.galerna.launch.rendezvous.Message;
import org.galerna.launch.rendezvous.Value;
import org.galerna.launch.report.DoubtText;
import org.galerna.launch.report.JobResult;
import org.galerna.launch.report.Outcome;
import org.galerna.launch.watch.DeadlockDecision.Conclusion;
import org.galerna.launch.watch.Reports;
import org.galerna.link.FrameHandler;
import org.galerna.link.wireup.Host;
import org.galerna.memory.SystemRandom;
import org.jspecify.annotations.Nullable;

/**
 * One run of a {@link ProcessJob}. The thread that runs the job handles what the agents say, one event after another, and
 * looks at the clock a few times a second; output alone goes its own way, so that a reader who takes his time slows down
 * nobody but the writer.
 */
final class ProcessRun {
    private static final long LOOK_NANOS = Duration.ofMillis(100).toNanos();
    private static final Duration AGE_OF_PARTIAL_LINES = Duration.ofMillis(100);
    private static final Duration PATIENCE_WITH_OUTPUT = Duration.ofSeconds(1);

    private static final Duration PATIENCE_WITH_SIGNAL = Duration.ofMillis(500);

    /** How much longer an orderly end may take than the processes, until what is left is cut off. */
    private static final Duration PATIENCE_WITH_AGENTS = Duration.ofSeconds(2);

    private static final int INPUT_PIECE = 16 << 10;

    private final ProcessJob.Builder job;
    private final String name = "job-" + SystemRandom.uuid();
    private final BlockingQueue<Runnable> events = new LinkedBlockingQueue<>();
    private final List<Member> members = new ArrayList<>();
    private final OutputChannel out;
    private final OutputChannel err;
    private final PrintStream[] outOfRank;
    private final PrintStream[] errOfRank;
    private final PrintStream complaints;
    /** Threads that write what ranks have printed, or wait for those who read it. */
    private final AtomicInteger writing = new AtomicInteger();

    private final Semaphore inputTaken = new Semaphore(1);
    private final List<Value> published = new ArrayList<>();
    private final Leavers leavers;
    private int arrived;
    private boolean fenceBroken;
    private @Nullable OutcomeResolver verdict;
    private long cutOff = Long.MAX_VALUE;

    ProcessRun(ProcessJob.Builder job) {
        this.job = job;
        Charset charset = System.out.charset();
        boolean labelled = job.labelled() && job.ranksPerProcess == 1;
        this.out = new OutputChannel(job.standardOutput(), job.ranks(), labelled, charset);
        this.err = new OutputChannel(job.standardError(), job.ranks(), labelled, charset);
        this.outOfRank = new PrintStream[job.ranks()];
        this.errOfRank = new PrintStream[job.ranks()];
        Arrays.setAll(outOfRank, out::of);
        Arrays.setAll(errOfRank, err::of);
        this.leavers = new Leavers(job.ranks());
        this.complaints = new PrintStream(job.standardError(), true, System.err.charset());
    }

    /** A host with its agent. */
    private final class Member implements AgentLine.Events {
        private final Share share;
        private final boolean here;
        private @Nullable AgentLine line;
        private boolean ready;
        private boolean done;

        Member(Share share) {
            this.share = share;
            this.here = HostName.isHere(share.host().name());
        }

        String host() {
            return here ? Host.nameHere() : share.host().name();
        }

        void start(RemoteJava java) throws IOException {
            line = here
                    ? new LocalAgent(this, job.standardInput.isEmpty())
                    : SshAgent.start(
                            job.ssh,
                            share.host(),
                            java,
                            this,
                            text -> complaints.println("galerna: host " + host() + ": " + text));
            ready = here;
        }

        void send(Message message) {
            if (line != null && !done) {
                line.send(message);
            }
        }

        void cut() {
            if (line != null && !done) {
                line.cut();
            }
        }

        @Override
        public void said(Message message) {
            if (message.kind() == Kind.OUTPUT) {
                PrintStream[] streams = message.number() == 1 ? outOfRank : errOfRank;
                writing.incrementAndGet();
                try {
                    streams[message.rank()].write(message.body(), 0, message.body().length);
                } finally {
                    writing.decrementAndGet();
                }
            } else {
                events.add(() -> handle(this, message));
            }
        }

        @Override
        public void lost(String how) {
            events.add(() -> lose(this, how));
        }
    }

    // ---- the run

    JobResult run() {
        long start = System.nanoTime();
        Layout layout;
        try {
            layout = Layout.of(job.hosts, job.ranks());
        } catch (LaunchException impossible) {
            return result(new Outcome.NotStarted(impossible.reason()), List.of(), start);
        }
        layout.shares().forEach(share -> members.add(new Member(share)));
        OutcomeResolver verdict = new OutcomeResolver(job, layout);
        this.verdict = verdict;
        try {
            startAgents();
            loop(verdict, start);
        } catch (LaunchException impossible) {
            verdict.decide(new Outcome.NotStarted(impossible.reason()));
            members.forEach(Member::cut);
        }
        out.close(PATIENCE_WITH_OUTPUT);
        err.close(PATIENCE_WITH_OUTPUT);
        return result(verdict.outcome(), verdict.unfinished(), start);
    }

    private JobResult result(Outcome how, List<Integer> unfinished, long start) {
        List<String> hosts = new ArrayList<>();
        if (members.size() > 1) {
            members.forEach(member -> {
                for (int rank = 0; rank < member.share.ranks(); rank++) {
                    hosts.add(member.host());
                }
            });
        }
        return new JobResult(how, unfinished, Duration.ofNanos(System.nanoTime() - start), hosts);
    }

    boolean interrupt() {
        OutcomeResolver present = verdict;
        if (present == null || present.isDecided()) {
            return false;
        }
        events.add(() -> end(new Outcome.Interrupted()));
        return true;
    }

    private void startAgents() {
        boolean elsewhere = members.stream().anyMatch(member -> !member.here);
        RemoteJava java = elsewhere ? RemoteJava.of(job.java) : new RemoteJava("", true, "");
        for (Member member : members) {
            try {
                member.start(java);
            } catch (IOException noSsh) {
                throw new LaunchException("host " + member.host() + " cannot be reached: " + noSsh.getMessage(), noSsh);
            }
            if (member.here) {
                member.send(Message.of(Kind.START, 0, 0, describe(member.share).write()));
            }
        }
        if (!members.getFirst().here || job.standardInput.isPresent()) {
            InputStream source = job.standardInput.orElse(System.in);
            Background.start("galerna-stdin", () -> passInputOn(source));
        }
    }

    private AgentJob describe(Share share) {
        return new AgentJob(
                name,
                job.ranks(),
                share.first(),
                share.ranks(),
                job.ranksPerProcess,
                job.jvmOptions,
                job.classes,
                job.classPath,
                job.modulePath,
                job.mainClass(),
                job.arguments(),
                job.workingFolder.toString(),
                job.aotCache.map(Path::toString).orElse(""),
                job.bindTo(),
                job.bindingsReported(),
                job.labelled(),
                job.deadlockTimeout());
    }

    private void loop(OutcomeResolver verdict, long start) {
        long limit = job.timeout().toNanos();
        while (!members.stream().allMatch(member -> member.done)) {
            Runnable event = next();
            if (event != null) {
                event.run();
            }
            long now = System.nanoTime();
            if (now > cutOff) {
                if (writing.get() == 0 || !verdict.waitsForReaders()) {
                    members.forEach(Member::cut);
                    return;
                }
                // whoever reads the output takes his time, and nothing is to be lost
                cutOff = now + patienceNanos();
            }
            if (limit != 0 && now - start >= limit && verdict.askWhere(now)) {
                tellAll(Message.of(Kind.WHERE));
            }
            verdict.look(now).ifPresent(this::end);
            verdict.aboutStanding().ifPresent(this::conclude);
            out.passOnPartialLines(AGE_OF_PARTIAL_LINES);
            err.passOnPartialLines(AGE_OF_PARTIAL_LINES);
        }
        awaitSignal(verdict);
        verdict.allEnded();
    }

    /** A key that is pressed ends the ranks, too, and they may be quicker. */
    private void awaitSignal(OutcomeResolver verdict) {
        long deadline = System.nanoTime() + PATIENCE_WITH_SIGNAL.toNanos();
        while (verdict.awaitsSignal() && System.nanoTime() < deadline) {
            Runnable event = next();
            if (event != null) {
                event.run();
            }
        }
    }

    private @Nullable Runnable next() {
        try {
            return events.poll(LOOK_NANOS, TimeUnit.NANOSECONDS);
        } catch (InterruptedException interrupted) {
            end(new Outcome.Interrupted());
            // the rest of the run needs to wait, too: the interrupt is set again when it is over
            return null;
        }
    }

    /** Ends the job, unless that has begun already. */
    private void end(Outcome how) {
        if (verdict != null && verdict.decide(how)) {
            cutOff = System.nanoTime() + patienceNanos();
            tellAll(Message.of(Kind.END));
        }
    }

    private long patienceNanos() {
        return patienceWithAgents().toNanos();
    }

    private Duration patienceWithAgents() {
        int processes = Math.ceilDiv(job.ranks(), job.ranksPerProcess);
        return Agent.patience(processes).plus(PATIENCE_WITH_AGENTS);
    }

    /** How long an end takes at most, with processes that have to be killed, and with those who read the output. */
    Duration patience() {
        Duration each = patienceWithAgents().plus(PATIENCE_WITH_OUTPUT);
        return each.plus(each);
    }

    private void tellAll(Message message) {
        members.forEach(member -> member.send(message));
    }

    // ---- what happens

    private void handle(Member member, Message message) {
        OutcomeResolver verdict = Objects.requireNonNull(this.verdict);
        int rank = message.rank();
        switch (message.kind()) {
            case READY -> {
                member.ready = true;
                member.send(Message.of(Kind.START, 0, 0, describe(member.share).write()));
            }
            case NOTE -> printNote(member, message.text());
            case PROBLEM ->
                end(new Outcome.NotStarted(
                        members.size() == 1 ? message.text() : "host " + member.host() + ": " + message.text()));
            case FENCE -> arrive(message);
            case JOINED -> {}
            case LEAVES ->
                leavers.hear(message).forEach(answer -> {
                    if (answer.number() == 0) {
                        tellAll(answer);
                    } else {
                        member.send(answer);
                    }
                });
            case ABORT -> end(new Outcome.Aborted(rank, (int) message.number(), message.text()));
            case EXITED -> verdict.exited(rank, (int) message.number(), System.nanoTime());
            case FAILED -> verdict.failed(Reports.readFailure(rank, message.fields()), System.nanoTime());
            case NOT_STARTED -> end(new Outcome.NotStarted(message.text()));
            case STANDSTILL -> verdict.standsStill(rank, message.number(), Reports.readStandstill(message.fields()));
            case POSITIONS -> verdict.isAt(Reports.readPositions(message.fields()));
            case BYE -> {
                verdict.goodbye(rank, message.number() != 0);
                if (message.number() == 0) {
                    breakFences(rank);
                } else if (!verdict.isAboutToDecide()) { // or the others are told that the job is over, in a moment
                    tellGone(rank, FrameHandler.UNFINISHED);
                }
            }
            case ENDED -> ended(member, rank, (int) message.number(), verdict);
            case INPUT_TAKEN -> inputTaken.release();
            case DONE -> member.done = true;
            default -> throw new IllegalArgumentException("the agent of host " + member.host() + " says " + message);
        }
    }

    private void conclude(Conclusion conclusion) {
        switch (conclusion) {
            case Conclusion.Ask ask ->
                tellAll(Message.of(
                        Kind.STANDING,
                        0,
                        ask.question().round(),
                        new FieldWriter().flag(ask.question().isFresh())));
            case Conclusion.Proven proven -> end(new Outcome.Deadlocked(proven.deadlock()));
            case Conclusion.Doubtful doubtful ->
                complaints.println(DoubtText.of(doubtful.lasting(), doubtful.doubts()));
        }
    }

    private void printNote(Member member, String lines) {
        String where = members.size() == 1 ? "" : "host " + member.host() + ": ";
        lines.lines().forEach(line -> complaints.println("galerna: " + where + line));
    }

    private void arrive(Message message) {
        published.addAll(Value.read(message.fields()));
        arrived++;
        if (arrived == members.size()) {
            arrived = 0;
            tellAll(Message.of(Kind.FENCED, 0, message.number(), Value.write(published)));
            published.clear();
        }
    }

    private void ended(Member member, int rank, int status, OutcomeResolver verdict) {
        Optional<String> violent = verdict.ended(rank, status, System.nanoTime());
        for (int each = rank; each < verdict.endOf(rank); each++) {
            leavers.end(each).forEach(this::tellAll);
        }
        if (verdict.isDecided() || verdict.isAboutToDecide()) {
            return;
        }
        violent.ifPresent(how -> {
            String where = members.size() == 1 ? "" : " on host " + member.host();
            for (int each = rank; each < verdict.endOf(rank); each++) {
                tellGone(each, how + where);
            }
        });
        breakFences(rank);
    }

    /** A rank that hears of it knows that no fence can be passed, too. */
    private void tellGone(int rank, String how) {
        fenceBroken = true;
        tellAll(Message.of(Kind.GONE, rank, 0, how));
    }

    /** A rank that is gone never arrives. */
    private void breakFences(int rank) {
        if (!fenceBroken) {
            fenceBroken = true;
            tellAll(Message.of(Kind.FENCE_BROKEN, 0, 0, "rank " + rank + " has ended"));
        }
    }

    private void lose(Member member, String how) {
        boolean expected = member.done || (verdict != null && verdict.isDecided());
        member.done = true;
        if (!expected) {
            end(
                    member.ready
                            ? new Outcome.HostLost(member.host(), how)
                            : new Outcome.NotStarted("host " + member.host() + " cannot start ranks: " + how));
        }
    }

    // ---- standard input, where rank 0 cannot have that of this process

    private void passInputOn(InputStream source) {
        byte[] piece = new byte[INPUT_PIECE];
        try {
            for (int count = source.read(piece); count >= 0; count = source.read(piece)) {
                inputTaken.acquire();
                members.getFirst().send(new Message(Kind.INPUT, 0, 0, Arrays.copyOf(piece, count)));
            }
        } catch (IOException unreadable) {
            // for the rank that is the end of its input
        } catch (InterruptedException hurry) {
            Thread.currentThread().interrupt();
        }
        members.getFirst().send(Message.of(Kind.INPUT));
    }
}
