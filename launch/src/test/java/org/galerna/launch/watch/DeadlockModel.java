package org.galerna.launch.watch;

import java.lang.reflect.Field;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.galerna.launch.watch.DeadlockDecision.Conclusion;
import org.jspecify.annotations.Nullable;

/**
 * A few ranks, each in a process of its own: ranks send, wait, go on, end in order or are killed at any moment; each watch looks
 * at any moment; what ranks and launcher say to each other takes any time, in order from one to the other, except that the end
 * of a process is told on a way of its own. The watches and the decision are the real ones.
 */
final class DeadlockModel {
    private static final Duration STEP = Duration.ofMillis(100);
    private static final int ANYBODY = -1;

    private DeadlockModel() {}

    /** What is gone through. */
    record Bounds(int ranks, int deeds, int kills, Outsider outsider) {}

    /** What may send a message of the first rank to the last one, once, beside the rank itself. */
    enum Outsider {
        NONE,
        /** Something that cannot be seen to go on, such as time. */
        DOUBT,
        /** A thread that goes on. */
        THREAD
    }

    /** One thing that happens. */
    record Event(What what, int rank, int peer) {
        @Override
        public String toString() {
            return what + " " + rank + (peer == Integer.MIN_VALUE ? "" : " " + peer);
        }
    }

    enum What {
        SEND,
        WAIT,
        LEAVE,
        EXIT,
        KILL,
        CALL_LOOKS,
        WATCH_LOOKS,
        SAYING_ARRIVES,
        END_ARRIVES,
        QUESTION_ARRIVES,
        OUTSIDER_ACTS
    }

    /** What is on its way to the launcher; without a standstill it is a goodbye. */
    private record Saying(long round, @Nullable Standstill standstill) {}

    /** A rank with its process and its watch. */
    static final class Member {
        final FakeRank rank;
        final DeadlockWatch watch;
        final Deque<Saying> sayings = new ArrayDeque<>();
        final Deque<Question> questions = new ArrayDeque<>();
        final int[] inbox;
        Question asked = Question.FIRST;
        int deeds;
        int peer;
        boolean leaving;
        boolean gone;
        boolean killed;
        boolean endToTell;
        Outsider outsider;
        boolean threadSeen;

        Member(int number, Bounds bounds) {
            this.rank = new FakeRank(number);
            this.inbox = new int[bounds.ranks];
            this.deeds = bounds.deeds;
            this.outsider = number == 0 ? bounds.outsider : Outsider.NONE;
            this.watch = watch();
        }

        Member(Member other) {
            this.rank = new FakeRank(other.rank);
            this.inbox = other.inbox.clone();
            this.asked = other.asked;
            this.deeds = other.deeds;
            this.peer = other.peer;
            this.leaving = other.leaving;
            this.gone = other.gone;
            this.killed = other.killed;
            this.endToTell = other.endToTell;
            this.outsider = other.outsider;
            this.threadSeen = other.threadSeen;
            sayings.addAll(other.sayings);
            questions.addAll(other.questions);
            this.watch = watch();
            Memory.copy(other.watch, watch);
        }

        private DeadlockWatch watch() {
            return new DeadlockWatch(List.of(rank), STEP, threads -> {
                threadSeen |= outsider == Outsider.THREAD;
                return new Census(
                        outsider == Outsider.THREAD, outsider == Outsider.DOUBT ? List.of("outsider") : List.of());
            });
        }

        boolean runs() {
            return !gone && !leaving && !rank.isBlocked();
        }
    }

    /** All there is at a moment. */
    static final class World {
        final Bounds bounds;
        final List<Member> members = new ArrayList<>();
        final DeadlockDecision decision;
        int kills;
        boolean reported;
        /** Whether nobody could move at some moment since the launcher has heard of an end: only a death changes that. */
        boolean wasStuck;

        World(Bounds bounds) {
            this.bounds = bounds;
            this.kills = bounds.kills;
            for (int rank = 0; rank < bounds.ranks; rank++) {
                members.add(new Member(rank, bounds));
            }
            this.decision = new DeadlockDecision(
                    members.stream().map(each -> each.rank.rank()).toList());
        }

        World(World other) {
            this.bounds = other.bounds;
            this.kills = other.kills;
            this.reported = other.reported;
            this.wasStuck = other.wasStuck;
            other.members.forEach(each -> members.add(new Member(each)));
            this.decision = new DeadlockDecision(List.of());
            Memory.copy(other.decision, decision);
        }

        List<Event> possible() {
            List<Event> events = new ArrayList<>();
            for (Member each : members) {
                int number = each.rank.rank();
                if (each.runs() && each.deeds > 0) {
                    for (int peer = ANYBODY; peer < bounds.ranks; peer++) {
                        if (peer != number) {
                            events.add(new Event(What.WAIT, number, peer));
                            if (peer != ANYBODY && members.get(peer).inbox[number] == 0) {
                                events.add(new Event(What.SEND, number, peer));
                            }
                        }
                    }
                }
                add(events, each.runs(), What.LEAVE, number);
                add(events, each.leaving && !each.gone, What.EXIT, number);
                add(events, !each.gone && kills > 0, What.KILL, number);
                add(events, !each.gone && each.rank.isBlocked(), What.CALL_LOOKS, number);
                // a thread that goes on is seen once: it could be seen any number of times, with a new epoch each time
                boolean acts = each.threadSeen && each.outsider == Outsider.THREAD;
                add(events, !each.gone && !acts, What.WATCH_LOOKS, number);
                add(events, !each.sayings.isEmpty(), What.SAYING_ARRIVES, number);
                add(events, each.endToTell, What.END_ARRIVES, number);
                add(events, !each.gone && !each.questions.isEmpty(), What.QUESTION_ARRIVES, number);
                add(events, !each.gone && each.outsider != Outsider.NONE, What.OUTSIDER_ACTS, number);
            }
            return events;
        }

        static void add(List<Event> events, boolean possible, What what, int rank) {
            if (possible) {
                events.add(new Event(what, rank, Integer.MIN_VALUE));
            }
        }

        void happen(Event event) {
            wasStuck &= event.what != What.END_ARRIVES;
            doHappen(event);
            wasStuck |= isStuck();
        }

        private void doHappen(Event event) {
            Member member = members.get(event.rank);
            switch (event.what) {
                case SEND -> {
                    member.deeds--;
                    members.get(event.peer).inbox[event.rank]++;
                    member.rank.progress++;
                }
                case WAIT -> {
                    member.deeds--;
                    member.peer = event.peer;
                    member.rank.waitFor(event.peer);
                }
                case LEAVE -> {
                    member.leaving = true;
                    member.sayings.add(new Saying(0, null));
                }
                case EXIT -> end(member);
                case KILL -> {
                    kills--;
                    member.killed = true;
                    end(member);
                }
                case CALL_LOOKS -> look(member);
                case WATCH_LOOKS ->
                    member.watch
                            .look(STEP, member.asked)
                            .ifPresent(found -> member.sayings.add(new Saying(member.asked.round(), found)));
                case SAYING_ARRIVES -> {
                    Saying saying = member.sayings.remove();
                    if (saying.standstill == null) {
                        decision.ends(event.rank);
                    } else {
                        decision.says(event.rank, saying.round, saying.standstill);
                    }
                    conclude();
                }
                case END_ARRIVES -> {
                    member.endToTell = false;
                    decision.ends(event.rank);
                    decision.gone(event.rank);
                    conclude();
                }
                case QUESTION_ARRIVES -> member.asked = member.questions.remove();
                case OUTSIDER_ACTS -> {
                    member.outsider = Outsider.NONE;
                    members.get(bounds.ranks - 1).inbox[0]++;
                    member.rank.progress++;
                }
            }
        }

        static void end(Member member) {
            member.gone = true;
            member.endToTell = true;
            member.outsider = Outsider.NONE;
        }

        private void look(Member member) {
            if (canGoOn(member, false)) {
                for (int peer = 0; peer < bounds.ranks; peer++) {
                    if (member.inbox[peer] > 0 && (member.peer == ANYBODY || member.peer == peer)) {
                        member.inbox[peer]--;
                        member.rank.progress++;
                        break;
                    }
                }
                member.rank.goOn();
            } else {
                member.rank.lookInVain();
            }
        }

        /**
         * Whether a look of the blocked call ends it: by a message, or by an error because whoever could send it is gone.
         *
         * @param exceptKilled whether those whose death the launcher cannot know yet count as alive
         */
        private boolean canGoOn(Member member, boolean exceptKilled) {
            boolean othersGone = true;
            for (Member peer : members) {
                if (peer == member) {
                    continue;
                }
                boolean matches = member.peer == ANYBODY || member.peer == peer.rank.rank();
                if (matches && member.inbox[peer.rank.rank()] > 0) {
                    return true;
                }
                boolean isGone = peer.gone && !(exceptKilled && peer.killed && peer.endToTell);
                othersGone &= !matches || isGone;
            }
            return othersGone;
        }

        private void conclude() {
            Optional<Conclusion> conclusion = decision.conclude();
            while (conclusion.isPresent()) {
                switch (conclusion.get()) {
                    case Conclusion.Ask ask -> members.forEach(each -> each.questions.add(ask.question()));
                    case Conclusion.Doubtful doubtful -> {}
                    case Conclusion.Proven proven -> {
                        reported = true;
                        return;
                    }
                }
                conclusion = decision.conclude();
            }
        }

        boolean isStuck() {
            List<Member> alive = members.stream().filter(each -> !each.gone).toList();
            return !alive.isEmpty()
                    && alive.stream()
                            .allMatch(each ->
                                    each.rank.isBlocked() && each.outsider == Outsider.NONE && !canGoOn(each, true));
        }

        /** Everything that makes a difference for what can happen from here. */
        String fingerprint() {
            StringBuilder text = new StringBuilder();
            for (Member each : members) {
                text.append(Memory.of(each.watch, each.rank))
                        .append(each.sayings.stream()
                                .map(saying -> saying.round + ":"
                                        + (saying.standstill == null
                                                ? "bye"
                                                : saying.standstill.epoch() + "" + saying.standstill.doubts()))
                                .toList())
                        .append(each.questions)
                        .append(java.util.Arrays.toString(each.inbox))
                        .append(each.asked)
                        .append(each.rank.progress)
                        .append('/')
                        .append(each.deeds)
                        .append(each.peer)
                        .append(each.rank.isBlocked())
                        .append(each.leaving)
                        .append(each.gone)
                        .append(each.killed)
                        .append(each.endToTell)
                        .append(each.outsider)
                        .append(each.threadSeen);
            }
            return text.append(Memory.of(decision))
                    .append(kills)
                    .append(reported)
                    .append(wasStuck)
                    .toString();
        }
    }

    /** What the objects under test remember, as far as it makes a difference. */
    private static final class Memory {
        private static final List<Field> OF_DECISION =
                fields(DeadlockDecision.class, "processes", "question", "toConfirm", "endSinceAsked", "doubtTold");
        private static final List<Field> OF_WATCH =
                fields(DeadlockWatch.class, "question", "state", "epoch", "doubts", "said");
        private static final List<Field> MORE_OF_WATCH = fields(DeadlockWatch.class, "looks", "still", "nextCensus");

        private Memory() {}

        private static List<Field> fields(Class<?> type, String... names) {
            List<Field> fields = new ArrayList<>();
            try {
                for (String name : names) {
                    Field field = type.getDeclaredField(name);
                    field.setAccessible(true);
                    fields.add(field);
                }
            } catch (ReflectiveOperationException renamed) {
                throw new LinkageError(renamed.getMessage(), renamed);
            }
            return fields;
        }

        static String of(DeadlockDecision decision) {
            StringBuilder text = new StringBuilder();
            for (Field field : OF_DECISION) {
                Object value = get(field, decision);
                if (value instanceof Map<?, ?> map && field.getName().equals("processes")) {
                    map.values()
                            .forEach(said -> text.append(
                                    said instanceof Optional<?> one && one.orElse(null) instanceof Standstill standstill
                                            ? standstill.epoch() + "" + standstill.doubts()
                                            : "silent"));
                } else {
                    text.append(value).append(';');
                }
            }
            return text.toString();
        }

        static String of(DeadlockWatch watch, FakeRank rank) {
            StringBuilder text = new StringBuilder();
            OF_WATCH.forEach(field -> text.append(get(field, watch)).append(';'));
            Map<?, ?> looks = (Map<?, ?>) get(MORE_OF_WATCH.get(0), watch);
            Duration still = (Duration) get(MORE_OF_WATCH.get(1), watch);
            Duration nextCensus = (Duration) get(MORE_OF_WATCH.get(2), watch);
            looks.values().forEach(before -> text.append(Math.min(2, rank.looks() - (Long) before)));
            // patience is one step, and so is the time to the next census
            return text.append(still.isZero())
                    .append(nextCensus.compareTo(still.plus(STEP)) <= 0)
                    .toString();
        }

        static void copy(DeadlockWatch from, DeadlockWatch to) {
            OF_WATCH.forEach(field -> set(field, from, to));
            MORE_OF_WATCH.forEach(field -> set(field, from, to));
        }

        @SuppressWarnings("unchecked")
        static void copy(DeadlockDecision from, DeadlockDecision to) {
            OF_DECISION.stream().skip(1).forEach(field -> set(field, from, to));
            Field processes = OF_DECISION.getFirst();
            ((Map<Object, Object>) get(processes, to)).putAll((Map<Object, Object>) get(processes, from));
        }

        private static void set(Field field, Object from, Object to) {
            try {
                field.set(to, field.get(from));
            } catch (IllegalAccessException impossible) {
                throw new LinkageError(impossible.getMessage(), impossible);
            }
        }

        private static Object get(Field field, Object object) {
            try {
                Object value = field.get(object);
                return value == null ? "nothing" : value;
            } catch (IllegalAccessException impossible) {
                throw new LinkageError(impossible.getMessage(), impossible);
            }
        }
    }
}
