package org.galerna.profile.analysis;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.galerna.profile.analysis.Profile.Advice;
import org.galerna.profile.analysis.Profile.Late;

/** Says in plain words what is worth a look, each with its figures. What costs little is not mentioned. */
final class Advisor {
    /** Share of the time of the job, over all ranks, below which nothing is said. */
    private static final double WORTH_A_LOOK = 0.03;

    private static final double LONGER = 1.15;
    private static final double MOSTLY = 0.5;
    private static final double SHORT_BYTES = 256;
    private static final long MANY_MESSAGES = 50_000;
    private static final double MUCH = 0.2;

    private final Profile profile;
    private final double whole;
    private final List<Advice> advice = new ArrayList<>();

    private Advisor(Profile profile) {
        this.profile = profile;
        this.whole = profile.each().stream().mapToDouble(Profile.Rank::recorded).sum();
    }

    static List<Advice> advise(Profile profile) {
        Advisor advisor = new Advisor(profile);
        advisor.imbalances();
        advisor.lateRanks(Late.SENDER);
        advisor.lateRanks(Late.RECEIVER);
        advisor.collectives();
        advisor.shortMessages();
        advisor.advice.sort(Comparator.comparingDouble(Advice::seconds).reversed());
        advisor.processors();
        advisor.missing();
        if (advisor.advice.isEmpty()) {
            advisor.nothing();
        }
        return List.copyOf(advisor.advice);
    }

    private void imbalances() {
        for (Profile.Computing row : profile.computing()) {
            double more = row.seconds() - row.others();
            double cost = more * (profile.each().size() - 1);
            if (isWorth(cost) && row.seconds() > LONGER * row.others()) {
                advice.add(new Advice(
                        "Rank " + row.rank() + " computes longer than the others",
                        ("Between %s and %s, rank %d computes %s, the others %s on average%s. Meanwhile the others wait. Give rank "
                                        + "%d less to do there.")
                                .formatted(
                                        row.from(),
                                        row.to(),
                                        row.rank(),
                                        Figures.time(row.seconds()),
                                        Figures.time(row.others()),
                                        longer(row),
                                        row.rank()),
                        cost));
            }
        }
    }

    private static String longer(Profile.Computing row) {
        double percent = 100 * (row.seconds() / row.others() - 1);
        return row.others() > 0 && percent < 1000 ? String.format(Locale.ROOT, " (%.0f %% longer)", percent) : "";
    }

    /** By the call by which the late ones come. */
    private void lateRanks(Late late) {
        Map<String, List<Profile.Wait>> bySite = profile.waits().stream()
                .filter(wait -> wait.late() == late)
                .collect(Collectors.groupingBy(Profile.Wait::otherSite, LinkedHashMap::new, Collectors.toList()));
        bySite.forEach((site, all) -> {
            Map<Integer, List<Profile.Wait>> byRank = all.stream()
                    .collect(Collectors.groupingBy(Profile.Wait::other, LinkedHashMap::new, Collectors.toList()));
            double cost = sum(all);
            if (byRank.size() > 1 && byRank.values().stream().allMatch(waits -> sum(waits) < MOSTLY * cost)) {
                inTurn(late, site, all, byRank.size(), cost);
            } else {
                byRank.forEach((rank, waits) -> lateRank(late, rank, site, waits));
            }
        });
    }

    private void inTurn(Late late, String site, List<Profile.Wait> waits, int number, double cost) {
        if (isWorth(cost)) {
            advice.add(new Advice(
                    late == Late.SENDER ? "Ranks wait for senders in turn" : "Ranks wait for receivers in turn",
                    ("%s wait %s together in %s, until others come to %s. %d ranks are late, none of them most of the time: their "
                                    + "work varies, or they lack processors.")
                            .formatted(ranks(ranksOf(waits)), Figures.time(cost), sites(waits), site, number),
                    cost));
        }
    }

    private void lateRank(Late late, int rank, String site, List<Profile.Wait> waits) {
        double cost = sum(waits);
        if (isWorth(cost)) {
            List<Integer> ranks = ranksOf(waits);
            advice.add(new Advice(
                    (late == Late.SENDER ? "Rank %d sends late" : "Rank %d receives late").formatted(rank),
                    "%s %s %s in %s, until rank %d comes to %s. %s"
                            .formatted(
                                    ranks(ranks),
                                    ranks.size() == 1 ? "waits" : "wait",
                                    Figures.time(cost) + (ranks.size() == 1 ? "" : " together"),
                                    sites(waits),
                                    rank,
                                    site.isEmpty() ? "its call" : site,
                                    wayOut(late, rank, ranks)),
                    cost));
        }
    }

    private static double sum(List<Profile.Wait> waits) {
        return waits.stream().mapToDouble(Profile.Wait::seconds).sum();
    }

    private static List<Integer> ranksOf(List<Profile.Wait> waits) {
        return waits.stream().map(Profile.Wait::rank).distinct().sorted().toList();
    }

    private String wayOut(Late late, int rank, List<Integer> waiting) {
        if (late == Late.RECEIVER) {
            return "Post the receive earlier (Irecv), or send without blocking (Isend) and go on meanwhile.";
        }
        if (waiting.size() > 1 && waiting.size() >= profile.each().size() - 1) {
            return "All others depend on rank %d: give it less to do, or share its work.".formatted(rank);
        }
        return "Send earlier, or let the receiver do something else meanwhile (Irecv before, Wait after it).";
    }

    private static String sites(List<Profile.Wait> waits) {
        List<String> sites = waits.stream().map(Profile.Wait::site).distinct().toList();
        return sites.size() == 1
                ? sites.getFirst()
                : sites.getFirst() + " and " + (sites.size() - 1)
                        + (sites.size() == 2 ? " other call" : " other calls");
    }

    private void collectives() {
        for (Profile.Together row : profile.together()) {
            if (isWorth(row.seconds())) {
                String blame = row.lastSeconds() >= MOSTLY * row.seconds()
                        ? "%s of this for rank %d. Look at what rank %d does before it."
                                .formatted(
                                        Figures.percent(row.lastSeconds() / row.seconds()),
                                        row.lastRank(),
                                        row.lastRank())
                        : "The last rank is not always the same: the work varies, or the machine is busy.";
                advice.add(new Advice(
                        "Ranks wait for the last one in a collective operation",
                        "In %s ranks wait %s together for the last one, over %s. %s"
                                .formatted(
                                        row.site(),
                                        Figures.time(row.seconds()),
                                        row.number() == 1 ? "one call" : Figures.count(row.number()) + " calls",
                                        blame),
                        row.seconds()));
            }
        }
    }

    private void shortMessages() {
        long messages =
                profile.matrix().stream().mapToLong(Profile.Cell::messages).sum();
        long bytes = profile.matrix().stream().mapToLong(Profile.Cell::bytes).sum();
        double communicating =
                profile.each().stream().mapToDouble(Profile.Rank::communicating).sum();
        if (messages >= MANY_MESSAGES && (double) bytes / messages < SHORT_BYTES && communicating > MUCH * whole) {
            advice.add(new Advice(
                    "Many short messages",
                    "Ranks send %s messages of %.0f bytes on average, and spend %s of their time in calls. Put several into one message."
                            .formatted(
                                    Figures.count(messages),
                                    (double) bytes / messages,
                                    Figures.percent(communicating / whole)),
                    communicating / 2));
        }
    }

    /** Ranks that share processors make each other late. */
    private void processors() {
        Map<Integer, List<Profile.Rank>> hosts =
                profile.each().stream().collect(Collectors.groupingBy(Profile.Rank::host));
        hosts.values().stream()
                .filter(ranks -> ranks.size() > ranks.getFirst().processors())
                .findFirst()
                .ifPresent(ranks -> advice.addFirst(new Advice(
                        "There are more ranks than processors",
                        "Host %d has %d ranks and %d processors. A rank that waits for a processor seems to compute: look at the rest with care, or run fewer ranks."
                                .formatted(
                                        ranks.getFirst().host(),
                                        ranks.size(),
                                        ranks.getFirst().processors()),
                        0)));
    }

    private void missing() {
        if (!profile.missing().isEmpty()) {
            advice.addFirst(new Advice(
                    "Nothing is known of some ranks",
                    ranks(profile.missing())
                            + " left no file. They were killed, or their hosts do not see the folder of the profile.",
                    0));
        }
    }

    private void nothing() {
        double communicating =
                profile.each().stream().mapToDouble(Profile.Rank::communicating).sum();
        advice.add(new Advice(
                "Nothing stands out",
                "Ranks spend %s of their time in calls of MPI; no rank waits long for another."
                        .formatted(Figures.percent(whole == 0 ? 0 : communicating / whole)),
                0));
    }

    private boolean isWorth(double seconds) {
        return seconds > WORTH_A_LOOK * whole;
    }

    private static String ranks(List<Integer> ranks) {
        int shown = 4;
        Function<Integer, String> word = String::valueOf;
        if (ranks.size() == 1) {
            return "Rank " + ranks.getFirst();
        }
        String list = ranks.stream().limit(shown).map(word).collect(Collectors.joining(", "));
        return "Ranks " + list + (ranks.size() > shown ? " and " + (ranks.size() - shown) + " more" : "");
    }
}
