package org.galerna.launch.process;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;
import org.galerna.launch.place.ReservedCores;
import org.galerna.launch.program.ProgramException;
import org.galerna.launch.rendezvous.CommonValue;
import org.galerna.launch.rendezvous.CommonValues;
import org.galerna.launch.rendezvous.FieldWriter;
import org.galerna.launch.rendezvous.Kind;
import org.galerna.launch.rendezvous.Message;
import org.galerna.launch.rendezvous.MessageStream;
import org.galerna.launch.rendezvous.Value;
import org.galerna.launch.rendezvous.Values;
import org.galerna.launch.rendezvous.Welcome;
import org.jspecify.annotations.Nullable;

/**
 * The part of a launcher that is on one host: starts the processes of its ranks, hands on what they print and how they
 * end, and is their wire-up. Any thread may call {@link #accept}.
 */
final class Agent implements RankServer.Guests {
    /** How long a process may take to end in good order, and how much longer all may for each that a processor has to end. */
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    // no product of a duration and a number: for that the JDK prepares numbers of any length, while the ranks want the
    // processors
    private static final long PATIENCE_WITH_EACH_MILLIS = 100;

    private final Consumer<Message> launcher;
    private final boolean ownsInput;
    private final BlockingQueue<byte[]> input = new LinkedBlockingQueue<>();
    // guarded by this
    private @Nullable AgentJob job;
    private @Nullable RankServer server;
    private @Nullable ReservedCores cores;
    private final Remains remains = new Remains();
    private final List<RankProcess> processes = new ArrayList<>();
    /** By the first rank of each process. */
    private final Map<Integer, MessageStream> guests = new HashMap<>();

    private final Map<Key, byte[]> table = new HashMap<>();
    private @Nullable CommonValues common;
    private final Set<Integer> arrived = new HashSet<>();
    private final List<Value> published = new ArrayList<>();
    private final Set<Integer> goodbyes = new HashSet<>();
    /** The ranks that are gone, for those who come late. */
    private final List<Message> gone = new ArrayList<>();

    private @Nullable String brokenFence;
    /** The last one about standing still, for those who come late. */
    private @Nullable Message question;

    private int alive;
    private int running;
    private boolean met;
    private boolean ending;
    /** The job ends because this agent does, and not because ranks were killed. */
    private volatile boolean killing;
    /** All processes that have ended have said so before, and have ended well. */
    private boolean inOrder = true;

    private record Key(int rank, String name) {}

    /**
     * An agent that waits to be told what to start.
     *
     * @param launcher takes what the launcher is to know; must not block for long
     * @param ownsInput whether the standard input of this process is the launcher's, so that rank 0 can have it as it is
     */
    Agent(Consumer<Message> launcher, boolean ownsInput) {
        this.launcher = launcher;
        this.ownsInput = ownsInput;
    }

    /** How long so many processes may take to end in good order. */
    static Duration patience(int processes) {
        int each = Math.ceilDiv(processes, Runtime.getRuntime().availableProcessors());
        return PATIENCE.plusMillis(PATIENCE_WITH_EACH_MILLIS * each);
    }

    // ---- the launcher's side

    /** Takes a message from the launcher. */
    void accept(Message message) {
        switch (message.kind()) {
            case START -> start(AgentJob.read(message.fields()));
            case FENCED -> releaseFence(message);
            case FENCE_BROKEN -> breakFence(message.text());
            case LEFT -> tellWhoStays(message);
            case GONE -> spread(message);
            case WHERE -> tellAll(message);
            case STANDING -> ask(message);
            case INPUT -> input.add(message.body());
            case END -> end();
            default -> throw new IllegalArgumentException("the launcher says " + message);
        }
    }

    private synchronized void start(AgentJob description) {
        if (ending) {
            return; // it has been told to end before this has come
        }
        job = description;
        try {
            check(description);
            AgentJob job = remains.write(description);
            this.job = job;
            server = remains.keep(RankServer.open(this));
            CacheChoice cache = CacheChoice.forRanksOf(job);
            if (CacheChoice.isToldTo(job.jvmOptions())) {
                launcher.accept(Message.of(Kind.NOTE, job.firstRank(), 0, cache.words()));
            }
            RankCommand command = new RankCommand(job, server.socket(), cache);
            for (int rank = job.firstRank(); rank < job.firstRank() + job.ranks(); rank += job.ranksPerProcess()) {
                launch(rank, command);
            }
            reserveCores(job);
            Background.start("galerna-sweep", server::sweep);
        } catch (LaunchException impossible) {
            refuse(impossible.reason());
        } catch (ProgramException unbindable) {
            refuse(unbindable.reason());
        } catch (IOException impossible) {
            refuse(impossible.getMessage() == null ? impossible.toString() : impossible.getMessage());
        }
    }

    /** While the processes start, which takes longer: they do not come in before this is done. */
    private void reserveCores(AgentJob job) {
        ReservedCores reserved = ReservedCores.reserve(job.bindTo(), job.ranks());
        cores = remains.keep(reserved);
        if (job.bindingsReported()) {
            launcher.accept(
                    Message.of(Kind.NOTE, job.firstRank(), 0, String.join("\n", reserved.report(job.firstRank()))));
        }
    }

    private static void check(AgentJob job) {
        Path folder = Path.of(job.workingFolder());
        if (!Files.isDirectory(folder)) {
            throw new LaunchException("there is no folder " + folder + " for the ranks to run in");
        }
        if (!Files.isExecutable(folder)) {
            throw new LaunchException("the folder " + folder + ", where the ranks are to run, cannot be entered");
        }
        checkModules(job);
    }

    /** A virtual machine whose modules do not go together ends before it can say so to the launcher. */
    private static void checkModules(AgentJob job) {
        if (job.modules().isEmpty()) {
            return;
        }
        try {
            job.modules().inOneMachine(job.ranksPerProcess() == 1 ? List.of() : job.jvmOptions(), job.mainClass());
        } catch (IllegalArgumentException impossible) {
            throw new LaunchException(String.valueOf(impossible.getMessage()), impossible);
        }
    }

    private void launch(int rank, RankCommand command) throws IOException {
        AgentJob job = job();
        RankProcess.Input source =
                rank != 0 ? RankProcess.Input.NONE : ownsInput ? RankProcess.Input.INHERITED : RankProcess.Input.FED;
        RankProcess process = RankProcess.start(rank, command.of(rank), Path.of(job.workingFolder()), source, launcher);
        processes.add(process);
        alive++;
        running++;
        Background.start("galerna-wait-" + rank, () -> await(process));
        if (source == RankProcess.Input.FED) {
            Background.start("galerna-in", () -> feed(process.input()));
        }
    }

    private void refuse(String reason) {
        launcher.accept(Message.of(Kind.PROBLEM, job().firstRank(), 0, reason));
        RankProcess.kill(processes);
        if (processes.isEmpty()) {
            remains.remove(false);
            launcher.accept(Message.of(Kind.DONE));
        }
    }

    private AgentJob job() {
        AgentJob present = job;
        if (present == null) {
            throw new IllegalArgumentException("the launcher has not said what to start");
        }
        return present;
    }

    private void feed(OutputStream sink) {
        try (sink) {
            for (byte[] bytes = input.take(); bytes.length > 0; bytes = input.take()) {
                sink.write(bytes);
                sink.flush();
                launcher.accept(Message.of(Kind.INPUT_TAKEN));
            }
        } catch (IOException notRead) {
            // the rank has ended, or has closed its input; nothing more is asked for
            return;
        } catch (InterruptedException hurry) {
            Thread.currentThread().interrupt();
        }
    }

    private void await(RankProcess process) {
        int status = process.await();
        if (!killing) {
            launcher.accept(Message.of(Kind.ENDED, process.rank(), status));
        }
        synchronized (this) {
            inOrder &= status == 0 && goodbyes.contains(process.rank());
            if (--alive == 0) {
                remains.remove(!inOrder); // before its output is read, for which somebody may take any time
            }
        }
        process.awaitOutput();
        synchronized (this) {
            if (--running == 0 && !killing) {
                launcher.accept(Message.of(Kind.DONE));
            }
        }
    }

    private void end() {
        List<RankProcess> all;
        synchronized (this) {
            if (ending) {
                return;
            }
            ending = true;
            all = List.copyOf(processes);
            if (all.isEmpty()) {
                remains.remove(false);
                launcher.accept(Message.of(Kind.DONE));
            }
        }
        Runnable tell = () -> tellAll(Message.of(Kind.END));
        Background.start("galerna-end", () -> RankProcess.end(all, patience(all.size()), tell));
    }

    /** Kills all processes. Returns when nothing of the job is on this host any more, unless the system does not manage to end them. */
    void kill() {
        Duration longest;
        synchronized (this) {
            ending = true;
            killing = true;
            RankProcess.kill(processes);
            if (processes.isEmpty()) {
                remains.remove(false);
            }
            longest = patience(processes.size());
        }
        remains.awaitRemoval(longest);
    }

    /** The launcher is gone: no process may stay. Returns as {@link #kill} does, after an end in order. */
    void abandon() {
        end();
        int number;
        synchronized (this) {
            number = processes.size();
        }
        Duration patience = patience(number);
        remains.awaitRemoval(patience.plus(patience));
    }

    // ---- the ranks' side

    @Override
    public synchronized boolean welcome(int rank, MessageStream stream) throws IOException {
        AgentJob job = job();
        boolean expected = processes.stream().anyMatch(process -> process.rank() == rank) && !guests.containsKey(rank);
        if (!expected) {
            return false;
        }
        if (ending) {
            stream.write(Message.of(Kind.END)); // so that it does not complain
            return false;
        }
        List<BitSet> masks = cores == null ? List.of() : cores.masks();
        int index = rank - job.firstRank();
        int last = Math.min(index + job.ranksPerProcess(), job.ranks());
        Welcome welcome = new Welcome(
                job.job(),
                job.size(),
                job.ranks() == job.size(),
                masks.isEmpty() ? List.of() : masks.subList(index, last),
                cores == null ? new BitSet() : cores.everywhere(),
                job.deadlockTimeout());
        guests.put(rank, stream);
        stream.write(Message.of(Kind.WELCOME, rank, 0, welcome.write()));
        for (Message message : gone) {
            stream.write(message);
        }
        if (question != null) {
            stream.write(question);
        }
        if (brokenFence != null) {
            tellBrokenFence(brokenFence, rank);
        }
        if (guests.size() == processes.size() && server != null && processes.size() == expectedProcesses(job)) {
            server.close();
        }
        return true;
    }

    private static int expectedProcesses(AgentJob job) {
        return Math.ceilDiv(job.ranks(), job.ranksPerProcess());
    }

    @Override
    public void heard(Message message, MessageStream stream) throws IOException {
        switch (message.kind()) {
            case FENCE -> arrive(message);
            case GET -> answer(message, stream);
            case JOINED, LEAVES, ABORT, EXITED, FAILED, NOT_STARTED, STANDSTILL, POSITIONS -> launcher.accept(message);
            case BYE -> {
                synchronized (this) {
                    goodbyes.add(message.rank());
                }
                launcher.accept(message);
                stream.write(Message.of(Kind.GOODBYE, message.rank(), 0));
            }
            default -> throw new IllegalArgumentException("rank " + message.rank() + " says " + message);
        }
    }

    private synchronized void arrive(Message message) {
        published.addAll(Value.read(message.fields()));
        arrived.add(message.rank());
        if (arrived.size() == job().ranks()) {
            launcher.accept(Message.of(Kind.FENCE, job().firstRank(), message.number(), Value.write(published)));
            published.clear();
        }
    }

    private synchronized void releaseFence(Message message) {
        List<Value> values = Value.read(message.fields());
        for (Value value : values) {
            table.put(new Key(value.rank(), value.key()), value.bytes());
        }
        AgentJob job = job();
        FieldWriter common = CommonValue.write(commonValues(job).add(values));
        arrived.clear();
        for (int rank = job.firstRank(); rank < job.firstRank() + job.ranks(); rank++) {
            tell(processOf(rank), Message.of(Kind.FENCED, rank, message.number(), common));
        }
        if (!met) {
            met = true;
            Crowd.leaveRoom(processes, job.ranks());
        }
    }

    private CommonValues commonValues(AgentJob job) {
        CommonValues known = common == null ? new CommonValues(job.size()) : common;
        common = known;
        return known;
    }

    private int processOf(int rank) {
        AgentJob job = job();
        return rank - (rank - job.firstRank()) % job.ranksPerProcess();
    }

    private void answer(Message message, MessageStream stream) throws IOException {
        Values wanted = Values.of(message);
        List<byte @Nullable []> values = new ArrayList<>();
        synchronized (this) {
            for (int each = 0; each < wanted.count(); each++) {
                values.add(table.get(new Key(wanted.first() + each, wanted.key())));
            }
        }
        stream.write(Values.answer(message.rank(), values));
    }

    private synchronized void breakFence(String reason) {
        brokenFence = reason;
        List.copyOf(guests.keySet()).forEach(process -> tellBrokenFence(reason, process));
    }

    private void tellBrokenFence(String reason, int process) {
        AgentJob job = job();
        int end = Math.min(process + job.ranksPerProcess(), job.firstRank() + job.ranks());
        for (int rank = process; rank < end; rank++) {
            tell(process, Message.of(Kind.FENCE_BROKEN, rank, 0, reason));
        }
    }

    private synchronized void spread(Message message) {
        gone.add(message);
        tellAll(message);
    }

    private synchronized void tellWhoStays(Message message) {
        if (message.number() == 0) {
            tellAll(message);
        } else {
            tell(processOf(message.rank()), message);
        }
    }

    private synchronized void ask(Message message) {
        question = message;
        tellAll(message);
    }

    private void tellAll(Message message) {
        byte[] frame = MessageStream.encode(message);
        Map<Integer, MessageStream> all;
        synchronized (this) {
            all = Map.copyOf(guests);
        }
        all.forEach((process, stream) -> tell(process, stream, frame));
    }

    private synchronized void tell(int process, Message message) {
        MessageStream stream = guests.get(process);
        if (stream != null) {
            tell(process, stream, MessageStream.encode(message));
        }
    }

    private void tell(int process, MessageStream stream, byte[] frame) {
        try {
            stream.write(frame);
        } catch (IOException gone) {
            // how the process has ended is about to be known
            synchronized (this) {
                guests.remove(process, stream);
            }
        }
    }
}
