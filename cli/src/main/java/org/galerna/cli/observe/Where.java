package org.galerna.cli.observe;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.galerna.launch.report.Deadlock;
import org.galerna.launch.report.RankPosition;
import org.galerna.launch.report.StackTraces;
import org.galerna.launch.report.ThreadPosition;
import org.galerna.launch.report.Whereabouts;
import org.galerna.link.counters.JobReport;
import org.galerna.link.counters.RankReport;

/**
 * Where the ranks of a job are, put together from their counters, which tell who waits for what, and from the stacks of
 * their threads.
 *
 * @param text for people
 * @param silent what processes have not told their stacks, and why
 */
record Where(String text, List<String> silent) {
    private static final String MAIN = "main";

    Where {
        silent = List.copyOf(silent);
    }

    static Where of(JobReport job) {
        Map<Long, List<ThreadDump.Stack>> stacks = new ConcurrentHashMap<>();
        Map<Long, String> failures = new ConcurrentHashMap<>();
        List<Long> alive =
                alive(job).stream().map(RankReport::process).distinct().toList();
        alive.parallelStream().forEach(process -> {
            try {
                stacks.put(process, ThreadDump.of(process));
            } catch (IOException | LinkageError silent) {
                failures.put(
                        process, "galerna: process " + process + " does not tell its stacks: " + silent.getMessage());
            }
        });
        return put(job, stacks, List.copyOf(new TreeMap<>(failures).values()));
    }

    static Where put(JobReport job, Map<Long, List<ThreadDump.Stack>> stacks, List<String> silent) {
        List<RankPosition> positions = new ArrayList<>();
        Map<Long, Long> ranksOf =
                job.ranks().stream().collect(Collectors.groupingBy(RankReport::process, Collectors.counting()));
        for (RankReport rank : job.ranks()) {
            boolean alone = ranksOf.getOrDefault(rank.process(), 0L) == 1;
            positions.add(position(rank, alone, stacks.getOrDefault(rank.process(), List.of())));
        }
        RankReport first = job.ranks().getFirst();
        String head = "job " + job.id() + ", " + JobState.of(job).word() + ", since " + Words.since(job.startMillis())
                + ": " + first.command() + "\n";
        int missing = job.size() - job.ranks().size();
        String others = missing == 0
                ? ""
                : missing + (missing == 1 ? " rank is" : " ranks are") + " on other hosts, or "
                        + (missing == 1 ? "has" : "have") + " left the job\n";
        return new Where(head + new Whereabouts(positions).text() + others, silent);
    }

    /** The ranks whose processes are there. */
    static List<RankReport> alive(JobReport job) {
        return job.ranks().stream().filter(RankReport::isAlive).toList();
    }

    /** The calls of ranks that wait. */
    static List<Deadlock.Waiter> waiters(JobReport job) {
        List<Deadlock.Waiter> waiters = new ArrayList<>();
        for (RankReport rank : alive(job)) {
            for (RankReport.Waiting call : rank.waiting()) {
                waiters.add(new Deadlock.Waiter(rank.rank(), "", call.text(), call.peer(), ""));
            }
        }
        return waiters;
    }

    private static RankPosition position(RankReport rank, boolean alone, List<ThreadDump.Stack> stacks) {
        if (!rank.isAlive()) {
            return new RankPosition(rank.rank(), false, List.of(new ThreadPosition(MAIN, "killed", List.of())));
        }
        List<ThreadPosition> threads = new ArrayList<>();
        for (RankReport.Waiting call : rank.waiting()) {
            ThreadDump.Stack stack = stacks.stream()
                    .filter(each -> each.number() == call.thread())
                    .findFirst()
                    .orElse(new ThreadDump.Stack(MAIN, call.thread(), "", List.of()));
            threads.add(ThreadPosition.inCall(
                    stack.name(),
                    call.text().isEmpty() ? "a " + call.kind().word() : call.text(),
                    call.nanos(),
                    call.peer(),
                    StackTraces.ofProgramInCall(stack.frames().toArray(new StackTraceElement[0]))));
        }
        for (ThreadDump.Stack stack : stacks) {
            boolean isMain = stack.name().equals("rank-" + rank.rank())
                    || (alone && stack.name().equals(MAIN));
            boolean isCalling = rank.waiting().stream().anyMatch(call -> call.thread() == stack.number());
            if (isMain && !isCalling) {
                threads.add(ThreadPosition.atWork(
                        stack.name(), stack.state(), stack.frames().toArray(new StackTraceElement[0])));
            }
        }
        if (threads.isEmpty()) {
            threads.add(new ThreadPosition(MAIN, "in no call that waits", List.of()));
        }
        return new RankPosition(rank.rank(), false, threads);
    }
}
