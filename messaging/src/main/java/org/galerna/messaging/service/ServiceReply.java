package org.galerna.messaging.service;

import java.util.ArrayList;
import java.util.List;
import org.galerna.messaging.serialization.Exporter;
import org.galerna.messaging.serialization.Importer;
import org.galerna.messaging.serialization.MalformedMessageException;
import org.galerna.messaging.serialization.RecordSerializer;
import org.galerna.messaging.serialization.Serializer;
import org.galerna.messaging.support.ThrownText;
import org.jspecify.annotations.Nullable;

/**
 * What a method has returned or thrown.
 *
 * @param value what it has returned
 * @param thrown what it has thrown; null if it has returned
 */
record ServiceReply(
        ServiceMethod method,
        @Nullable Object value,
        @Nullable Thrown thrown) {
    private static final int MOST_FRAMES = 64;
    private static final RecordSerializer<Thrown> THROWN = RecordSerializer.of(Thrown.class);

    /** A frame of a trace. */
    record Frame(String type, String method, @Nullable String file, int line) {}

    /** What a method has thrown. */
    record Thrown(String type, @Nullable String message, List<Frame> trace) {
        static Thrown of(Throwable thrown) {
            List<Frame> trace = new ArrayList<>();
            String message;
            try {
                message = thrown.getMessage();
                for (StackTraceElement each : thrown.getStackTrace()) {
                    if (trace.size() < MOST_FRAMES) {
                        trace.add(new Frame(
                                each.getClassName(), each.getMethodName(), each.getFileName(), each.getLineNumber()));
                    }
                }
            } catch (Throwable again) { // its methods are the program's
                message = ThrownText.describe(again);
            }
            return new Thrown(
                    thrown.getClass().getName(),
                    message == null ? null : ThrownText.cut(message, ThrownText.MOST_CHARACTERS),
                    trace);
        }

        StackTraceElement[] elements() {
            return trace.stream()
                    .map(each -> new StackTraceElement(each.type(), each.method(), each.file(), each.line()))
                    .toArray(StackTraceElement[]::new);
        }
    }

    static Serializer<ServiceReply> serializer(ServiceCall.Finder called) {
        return new Serializer<>() {
            @Override
            public void write(ServiceReply reply, Exporter out) {
                out.writeLong(reply.method.key());
                out.writeNullable(reply.thrown, THROWN);
                if (reply.thrown == null) {
                    reply.method
                            .result()
                            .write(reply.method.isVoid() ? new Object[0] : new @Nullable Object[] {reply.value}, out);
                }
            }

            @Override
            public ServiceReply read(Importer in, @Nullable ServiceReply reused) {
                ServiceMethod method = called.find(in.readLong());
                if (method == null) {
                    throw new MalformedMessageException("a reply to a method that nobody has called");
                }
                Thrown thrown = in.readNullable(THROWN);
                Object value = thrown != null || method.isVoid()
                        ? null
                        : method.result().read(in, null)[0];
                return new ServiceReply(method, value, thrown);
            }
        };
    }
}
