package org.galerna.launch.watch;

import java.time.Duration;
import java.util.List;
import org.galerna.launch.rendezvous.FieldReader;
import org.galerna.launch.rendezvous.FieldWriter;
import org.galerna.launch.report.Deadlock;
import org.galerna.launch.report.Outcome;
import org.galerna.launch.report.RankPosition;
import org.galerna.launch.report.ThreadPosition;
import org.galerna.link.Collective;
import org.galerna.link.MissedCollective;

/** What ranks tell about themselves for reports, as fields of messages. */
public final class Reports {
    private Reports() {}

    /** A standstill as fields. */
    public static FieldWriter writeStandstill(Standstill standstill) {
        return new FieldWriter()
                .number(standstill.epoch())
                .number(standstill.lasting().toNanos())
                .list(standstill.doubts(), FieldWriter::text)
                .list(
                        standstill.waiters(),
                        (fields, waiter) -> fields.number(waiter.rank())
                                .text(waiter.thread())
                                .text(waiter.operation())
                                .number(waiter.peer())
                                .text(waiter.at())
                                .list(
                                        waiter.collective() == null ? List.of() : List.of(waiter.collective()),
                                        Reports::writeCollective));
    }

    /** The reverse of {@link #writeStandstill}. */
    public static Standstill readStandstill(FieldReader fields) {
        long epoch = fields.longNumber();
        Duration lasting = Duration.ofNanos(fields.longNumber());
        List<String> doubts = fields.list(FieldReader::text);
        List<Deadlock.Waiter> waiters = fields.list(each -> new Deadlock.Waiter(
                each.number(),
                each.text(),
                each.text(),
                each.number(),
                each.text(),
                each.list(Reports::readCollective).stream().findFirst().orElse(null)));
        return new Standstill(epoch, lasting, waiters, doubts);
    }

    /** A failure as fields. */
    public static FieldWriter writeFailure(Outcome.FailedElsewhere failure) {
        return new FieldWriter()
                .text(failure.thread())
                .text(failure.text())
                .flag(failure.byLostPeer())
                .list(failure.missed() == null ? List.of() : List.of(failure.missed()), (fields, missed) -> {
                    fields.number(missed.leaver()).flag(missed.finished());
                    writeCollective(fields, missed.collective());
                    fields.list(missed.waiting(), FieldWriter::number);
                });
    }

    /** The reverse of {@link #writeFailure}. */
    public static Outcome.FailedElsewhere readFailure(int rank, FieldReader fields) {
        return new Outcome.FailedElsewhere(
                rank,
                fields.text(),
                fields.text(),
                fields.flag(),
                fields
                        .list(each -> new MissedCollective(
                                each.number(), each.flag(), readCollective(each), each.list(FieldReader::number)))
                        .stream()
                        .findFirst()
                        .orElse(null));
    }

    private static void writeCollective(FieldWriter fields, Collective collective) {
        fields.number(collective.communicator())
                .number(collective.number())
                .text(collective.name())
                .number(collective.root())
                .number(collective.bytes())
                .list(collective.others(), Reports::writeCollective);
    }

    private static Collective readCollective(FieldReader fields) {
        return new Collective(
                fields.number(),
                fields.longNumber(),
                fields.text(),
                fields.number(),
                fields.longNumber(),
                fields.list(Reports::readCollective));
    }

    /** Positions as fields. */
    public static FieldWriter writePositions(List<RankPosition> positions) {
        return new FieldWriter()
                .list(
                        positions,
                        (fields, position) -> fields.number(position.rank())
                                .flag(position.ended())
                                .list(position.threads(), Reports::writeThread));
    }

    /** The reverse of {@link #writePositions}. */
    public static List<RankPosition> readPositions(FieldReader fields) {
        return fields.list(each -> new RankPosition(each.number(), each.flag(), each.list(Reports::readThread)));
    }

    private static void writeThread(FieldWriter fields, ThreadPosition thread) {
        fields.text(thread.thread())
                .text(thread.state())
                .list(
                        thread.frames(),
                        (each, frame) -> each.text(frame.getClassName())
                                .text(frame.getMethodName())
                                .text(frame.getFileName() == null ? "" : frame.getFileName())
                                .number(frame.getLineNumber()))
                .number(thread.awaited());
    }

    private static ThreadPosition readThread(FieldReader fields) {
        return new ThreadPosition(fields.text(), fields.text(), fields.list(Reports::readFrame), fields.number());
    }

    private static StackTraceElement readFrame(FieldReader fields) {
        String type = fields.text();
        String method = fields.text();
        String file = fields.text();
        return new StackTraceElement(type, method, file.isEmpty() ? null : file, fields.number());
    }
}
