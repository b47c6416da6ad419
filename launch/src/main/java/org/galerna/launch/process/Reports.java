package org.galerna.launch.process;

import java.util.List;
import org.galerna.launch.rendezvous.FieldReader;
import org.galerna.launch.rendezvous.FieldWriter;
import org.galerna.launch.report.Deadlock;
import org.galerna.launch.report.RankPosition;
import org.galerna.launch.report.ThreadPosition;

/** What ranks tell about themselves for the launcher's reports, as fields of messages. */
final class Reports {
    private Reports() {}

    static FieldWriter writeWaiters(List<Deadlock.Waiter> waiters) {
        return new FieldWriter()
                .list(
                        waiters,
                        (fields, waiter) -> fields.number(waiter.rank())
                                .text(waiter.thread())
                                .text(waiter.operation())
                                .number(waiter.peer())
                                .text(waiter.at()));
    }

    static List<Deadlock.Waiter> readWaiters(FieldReader fields) {
        return fields.list(
                each -> new Deadlock.Waiter(each.number(), each.text(), each.text(), each.number(), each.text()));
    }

    static FieldWriter writePositions(List<RankPosition> positions) {
        return new FieldWriter()
                .list(
                        positions,
                        (fields, position) -> fields.number(position.rank())
                                .flag(position.ended())
                                .list(position.threads(), Reports::writeThread));
    }

    static List<RankPosition> readPositions(FieldReader fields) {
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
                                .number(frame.getLineNumber()));
    }

    private static ThreadPosition readThread(FieldReader fields) {
        return new ThreadPosition(fields.text(), fields.text(), fields.list(Reports::readFrame));
    }

    private static StackTraceElement readFrame(FieldReader fields) {
        String type = fields.text();
        String method = fields.text();
        String file = fields.text();
        return new StackTraceElement(type, method, file.isEmpty() ? null : file, fields.number());
    }
}
