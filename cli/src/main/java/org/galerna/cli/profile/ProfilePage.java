package org.galerna.cli.profile;

import java.util.List;
import java.util.Locale;
import org.galerna.bench.report.Html;
import org.galerna.profile.CallKind;
import org.galerna.profile.analysis.Figures;
import org.galerna.profile.analysis.Profile;

/** A profile as one HTML page, which loads nothing else and runs no script. */
final class ProfilePage {
    private static final int MOST_ROWS = 40;

    private static final String STYLE = """
            :root{--paper:#fff;--ink:#1b1f24;--quiet:#57606a;--line:#d5dae0;--card:#f4f6f8;
            --k0:#0072b2;--k1:#e69f00;--k2:#d55e00;--k3:#009e73;--k4:#8a8f98;--heat:#0072b2}
            @media(prefers-color-scheme:dark){:root{--paper:#14171b;--ink:#e6e9ed;--quiet:#a0a9b4;--line:#3a424c;--card:#1d2228;
            --k0:#56b4e9;--k1:#f0c14b;--k2:#ff8a5c;--k3:#3fd0a4;--k4:#9aa2ad;--heat:#56b4e9}}
            *{box-sizing:border-box}
            body{margin:0 auto;padding:1rem;max-width:64rem;background:var(--paper);color:var(--ink);font:1rem/1.5 system-ui,sans-serif}
            h1{font-size:1.5rem;line-height:1.25;margin:.5rem 0;overflow-wrap:anywhere}
            h2{font-size:1.2rem;margin:2.25rem 0 .25rem}
            p,footer{margin:.25rem 0}.quiet,footer{color:var(--quiet)}
            .advice{list-style:none;padding:0;margin:.5rem 0}
            .advice li{background:var(--card);border-left:.3rem solid var(--k2);padding:.5rem .75rem;margin:.5rem 0;overflow-wrap:anywhere}
            .advice b{display:block}
            svg{width:100%;height:auto;display:block}
            svg text{fill:var(--quiet);font-size:11px}
            @media(max-width:40rem){svg text{font-size:14px}}
            .k0{fill:var(--k0)}.k1{fill:var(--k1)}.k2{fill:var(--k2)}.k3{fill:var(--k3)}.k4{fill:var(--k4)}
            .own{fill:var(--card)}.off{fill:var(--paper);stroke:var(--line)}.grid{stroke:var(--line)}.heat{fill:var(--heat)}
            ul.key{list-style:none;display:flex;flex-wrap:wrap;gap:.25rem 1rem;padding:0;margin:.25rem 0;font-size:.875rem}
            ul.key svg{width:14px;height:14px;display:inline-block;vertical-align:-2px;margin-right:.35rem}
            .scroll{overflow-x:auto}
            .narrow{max-width:34rem}.wide svg{min-width:40rem}
            table{border-collapse:collapse;font-size:.875rem;font-variant-numeric:tabular-nums}
            th,td{padding:.2rem .6rem;text-align:right;border-bottom:1px solid var(--line);white-space:nowrap}
            th.text,td.text{text-align:left;white-space:normal;overflow-wrap:anywhere;min-width:13rem}
            @media print{body{max-width:none}.advice li{break-inside:avoid}.scroll{overflow:visible}
            h2,h2+p,ul.key{break-after:avoid}svg,tr{break-inside:avoid}thead{display:table-header-group}}
            """;

    private final StringBuilder page = new StringBuilder();
    private final Profile profile;

    private ProfilePage(Profile profile) {
        this.profile = profile;
    }

    static String of(String program, Profile profile) {
        ProfilePage page = new ProfilePage(profile);
        page.head(program);
        page.advice();
        page.timeline();
        page.ranks();
        page.matrix();
        page.sites();
        page.waits();
        page.sizes();
        page.page.append(
                "<footer><p>Written by Galerna. The JSON beside this page has all of it.</p></footer>\n</body>\n</html>\n");
        return page.page.toString();
    }

    private void head(String program) {
        double whole =
                profile.each().stream().mapToDouble(Profile.Rank::recorded).sum();
        double inCalls =
                profile.each().stream().mapToDouble(Profile.Rank::communicating).sum();
        long messages =
                profile.matrix().stream().mapToLong(Profile.Cell::messages).sum();
        long bytes = profile.matrix().stream().mapToLong(Profile.Cell::bytes).sum();
        page.append(Html.head("Profile of " + program, STYLE))
                .append("<p>")
                .append(profile.ranks() == 1 ? "1 rank" : profile.ranks() + " ranks")
                .append(", ")
                .append(Figures.time(profile.seconds()))
                .append(". Ranks spend ")
                .append(Figures.percent(whole == 0 ? 0 : inCalls / whole))
                .append(" of their time in calls of MPI. They send each other ")
                .append(Figures.count(messages))
                .append(messages == 1 ? " message" : " messages")
                .append(" of ")
                .append(Figures.bytes(bytes))
                .append(" in all, without those of collective operations.</p>\n");
    }

    private void advice() {
        page.append("<h2>What to look at</h2>\n<ul class=advice>\n");
        for (Profile.Advice each : profile.advice()) {
            page.append("<li><b>")
                    .append(Html.escape(each.title()))
                    .append(each.seconds() > 0 ? " · costs " + Figures.time(each.seconds()) : "")
                    .append("</b>")
                    .append(breakable(each.text()))
                    .append("</li>\n");
        }
        page.append("</ul>\n<p class=quiet>Costs are added up over all ranks.</p>\n");
    }

    private void timeline() {
        page.append(
                "<h2>Timeline</h2>\n<p class=quiet>How each rank spends its time, from the left to the right. A row is filled as "
                        + "far as the rank is in calls; the rest is the program's own work.</p>\n");
        key();
        page.append("<div class=\"scroll wide\">")
                .append(new TimelineChart(profile).svg())
                .append("</div>\n");
    }

    private void key() {
        page.append("<ul class=key>\n");
        for (CallKind kind : CallKind.values()) {
            keyEntry("k" + kind.position(), kind.word());
        }
        keyEntry("own", "own work");
        if (isPartly()) {
            keyEntry("off", "not recorded");
        }
        page.append("</ul>\n");
    }

    private void keyEntry(String style, String word) {
        page.append("<li><svg viewBox=\"0 0 14 14\" aria-hidden=true><rect class=")
                .append(style)
                .append(" width=14 height=14 stroke=\"var(--line)\" /></svg>")
                .append(word)
                .append("</li>\n");
    }

    private void ranks() {
        page.append("<h2>Ranks</h2>\n<div class=scroll><table><thead><tr><th>rank<th>host<th>time<th>own work");
        for (CallKind kind : CallKind.values()) {
            page.append("<th>").append(kind.word());
        }
        page.append("</thead>\n");
        profile.each().stream().limit(MOST_ROWS).forEach(rank -> {
            page.append("<tr><td>%d<td>%d<td>%s<td>%s"
                    .formatted(
                            rank.rank(),
                            rank.host(),
                            Figures.time(rank.recorded()) + (rank.finished() ? "" : "*"),
                            share(rank, rank.outside())));
            rank.inCalls().forEach(seconds -> page.append("<td>").append(share(rank, seconds)));
            page.append('\n');
        });
        page.append("</table></div>\n");
        if (profile.each().stream().anyMatch(rank -> !rank.finished())) {
            page.append("<p class=quiet>* did not end MPI.</p>\n");
        }
        if (isPartly()) {
            page.append("<p class=quiet>The time is that in which a rank recorded what it did.</p>\n");
        }
        more(profile.each().size(), "ranks");
    }

    /** Whether some rank has not recorded all the time. */
    private boolean isPartly() {
        return profile.each().stream().anyMatch(rank -> rank.notRecorded() > 0);
    }

    private static String share(Profile.Rank rank, double seconds) {
        double whole = rank.recorded();
        return whole <= 0 ? "–" : Figures.percent(seconds / whole);
    }

    private void more(int number, String what) {
        if (number > MOST_ROWS) {
            page.append(
                    "<p class=quiet>The JSON has %s more %s.</p>\n".formatted(Figures.count(number - MOST_ROWS), what));
        }
    }

    private void matrix() {
        if (profile.matrix().isEmpty() || profile.ranks() < 2) {
            return;
        }
        MatrixChart chart = new MatrixChart(profile);
        page.append("<h2>Who sends to whom</h2>\n")
                .append(
                        "<p class=quiet>Bytes of all messages, those of collective operations too: the stronger the colour, the more, "
                                + "on a logarithmic scale; the strongest is ")
                .append(Figures.bytes(chart.most()))
                .append(". Rows send, columns receive. Point at a field to see its numbers.</p>\n<div class=narrow>")
                .append(chart.svg())
                .append("</div>\n");
    }

    private void sites() {
        double whole =
                profile.each().stream().mapToDouble(Profile.Rank::recorded).sum();
        page.append(
                        "<h2>Calls by place</h2>\n<div class=scroll><table><thead><tr><th class=text>call<th>share<th>time<th>number")
                .append("<th>on average<th>longest<th>bytes<th>ranks<th>imbalance</thead>\n");
        profile.sites().stream()
                .limit(MOST_ROWS)
                .forEach(site -> page.append("<tr><td class=text>%s<td>%s<td>%s<td>%s<td>%s<td>%s<td>%s<td>%d<td>%s\n"
                        .formatted(
                                breakable(site.call() + " at " + site.place()),
                                Figures.percent(whole == 0 ? 0 : site.seconds() / whole),
                                Figures.time(site.seconds()),
                                Figures.count(site.number()),
                                Figures.time(site.seconds() / site.number()),
                                Figures.time(site.longest()) + " (" + site.longestRank() + ")",
                                Figures.bytes(site.bytes()),
                                site.ranks(),
                                String.format(Locale.ROOT, "%.2f", site.imbalance()))));
        page.append(
                        "</table></div>\n<p class=quiet>In brackets: the rank of the longest call. Imbalance: the rank that spends most ")
                .append("time in the call, divided by the mean of those that make it.</p>\n");
        more(profile.sites().size(), "calls");
    }

    private void waits() {
        List<Profile.Wait> waits = profile.waits();
        if (!waits.isEmpty() || profile.untold() > 0) {
            page.append("<h2>Late senders and receivers</h2>\n");
        }
        if (profile.untold() > 0) {
            page.append("<p class=quiet>Nothing is said of ")
                    .append(Figures.count(profile.untold()))
                    .append(
                            " ends of messages: threads of a rank have sent or received them at the same time, to or from the same ")
                    .append(
                            "rank and with the same tag, or receives of any message were under way together, so that it is not known ")
                    .append("which is which. Give each thread a tag of its own.</p>\n");
        }
        if (!waits.isEmpty()) {
            page.append("<div class=scroll><table><thead><tr><th>rank<th class=text>waits in")
                    .append("<th>for rank<th class=text>which comes late to<th>waits<th>time<th>longest</thead>\n");
            waits.stream()
                    .limit(MOST_ROWS)
                    .forEach(
                            wait -> page.append("<tr><td>%d<td class=text>%s<td>%d<td class=text>%s<td>%s<td>%s<td>%s\n"
                                    .formatted(
                                            wait.rank(),
                                            breakable(wait.site()),
                                            wait.other(),
                                            breakable(wait.otherSite()),
                                            Figures.count(wait.number()),
                                            Figures.time(wait.seconds()),
                                            Figures.time(wait.longest()))));
            page.append("</table></div>\n");
            more(waits.size(), "waits");
        }
        if (!profile.together().isEmpty()) {
            page.append(
                            "<h2>Waits in collective operations</h2>\n<div class=scroll><table><thead><tr><th class=text>call<th>number")
                    .append("<th>waited for the last rank<th>longest for rank<th>of this</thead>\n");
            profile.together().stream()
                    .limit(MOST_ROWS)
                    .forEach(row -> page.append("<tr><td class=text>%s<td>%s<td>%s<td>%d<td>%s\n"
                            .formatted(
                                    breakable(row.site()),
                                    Figures.count(row.number()),
                                    Figures.time(row.seconds()),
                                    row.lastRank(),
                                    Figures.time(row.lastSeconds()))));
            page.append("</table></div>\n");
        }
    }

    private void sizes() {
        List<Long> sizes = profile.sizes();
        long most = sizes.stream().mapToLong(Long::longValue).max().orElse(0);
        if (most == 0) {
            return;
        }
        page.append(
                "<h2>Sizes of messages</h2>\n<div class=scroll><table><thead><tr><th>bytes<th>messages<th class=text></thead>\n");
        for (int i = 0; i < sizes.size(); i++) {
            if (sizes.get(i) > 0) {
                String from = i == 0 ? "0" : Html.size(1L << (i - 1));
                String label = i < 2 ? from : "from " + from;
                page.append(
                        "<tr><td>%s<td>%s<td class=text><svg viewBox=\"0 0 200 10\" aria-hidden=true><rect class=k0 width=%.1f height=10 /></svg>\n"
                                .formatted(
                                        label, Figures.count(sizes.get(i)), Math.max(1, 200.0 * sizes.get(i) / most)));
            }
        }
        page.append("</table></div>\n");
    }

    /** The text with places where a browser may break long names of classes: behind their dots. */
    static String breakable(String text) {
        return Html.escape(text).replaceAll("(?<=\\w)\\.(?=\\p{L})", ".<wbr>");
    }

    /** Names of ranks in a row that stands for several. */
    static String ranksOf(int first, int last) {
        return first == last ? String.valueOf(first) : first + "–" + last;
    }
}
