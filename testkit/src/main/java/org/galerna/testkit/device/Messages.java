package org.galerna.testkit.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.galerna.device.Device;
import org.galerna.device.DeviceException;
import org.galerna.device.ErrorClass;
import org.galerna.device.Request;
import org.galerna.device.Status;
import org.galerna.testkit.Deadline;
import org.galerna.testkit.Payload;
import org.galerna.testkit.RankThreads;
import org.jspecify.annotations.Nullable;

/** Messages of tests: their ways out and in, and notes by which ranks tell each other how far they are. */
final class Messages {
    /** Context of the notes, which no test uses otherwise. */
    private static final int NOTES = 4711;

    private static final byte[] EMPTY = {};

    private Messages() {}

    /** The ways to send. */
    enum Out {
        SEND {
            @Override
            @Nullable
            Request start(Device device, Object buffer, long offset, long length, int to, int tag, int context) {
                device.send(buffer, offset, length, to, tag, context);
                return null;
            }
        },
        SSEND {
            @Override
            @Nullable
            Request start(Device device, Object buffer, long offset, long length, int to, int tag, int context) {
                device.ssend(buffer, offset, length, to, tag, context);
                return null;
            }
        },
        ISEND {
            @Override
            Request start(Device device, Object buffer, long offset, long length, int to, int tag, int context) {
                return device.isend(buffer, offset, length, to, tag, context);
            }
        },
        ISSEND {
            @Override
            Request start(Device device, Object buffer, long offset, long length, int to, int tag, int context) {
                return device.issend(buffer, offset, length, to, tag, context);
            }
        };

        /** Starts a send; null if it has already ended. */
        abstract @Nullable Request start(
                Device device, Object buffer, long offset, long length, int to, int tag, int context);
    }

    /** The ways to receive. */
    enum In {
        RECV {
            @Override
            Request receive(Device device, Object buffer, long offset, long length, int from, int tag, int context) {
                return device.recv(buffer, offset, length, from, tag, context);
            }
        },
        IRECV {
            @Override
            Request receive(Device device, Object buffer, long offset, long length, int from, int tag, int context) {
                Request request = device.irecv(buffer, offset, length, from, tag, context);
                request.await();
                return request;
            }
        },
        TESTED_IRECV {
            @Override
            Request receive(Device device, Object buffer, long offset, long length, int from, int tag, int context) {
                Request request = device.irecv(buffer, offset, length, from, tag, context);
                Deadline.after(RankThreads.LIMIT).await("a receive", request::test);
                request.throwFailure();
                return request;
            }
        },
        PROBED {
            @Override
            Request receive(Device device, Object buffer, long offset, long length, int from, int tag, int context) {
                Status status = device.probe(from, tag, context);
                Request request = device.recv(buffer, offset, length, status.source(), status.tag(), context);
                assertThat(request.length()).as("length that was probed").isEqualTo(status.length());
                return request;
            }
        },
        PEEKED {
            @Override
            Request receive(Device device, Object buffer, long offset, long length, int from, int tag, int context) {
                Deadline deadline = Deadline.after(RankThreads.LIMIT);
                Request request;
                while ((request = device.peek(buffer, offset, length, from, tag, context)) == null) {
                    deadline.check("a message to peek at");
                    Thread.yield();
                }
                request.await();
                return request;
            }
        };

        abstract Request receive(
                Device device, Object buffer, long offset, long length, int from, int tag, int context);
    }

    /** Tells a rank that this one has come here; it goes with a message of its own, behind all earlier ones. */
    static void note(Device device, int to) {
        device.send(EMPTY, 0, 0, to, 0, NOTES);
    }

    /** Waits for a note. */
    static void awaitNote(Device device, int from) {
        device.recv(EMPTY, 0, 0, from, 0, NOTES).release();
    }

    /** Waits until all ranks are here; everything that was sent before has then arrived. */
    static void barrier(Device device) {
        for (int peer = 0; peer < device.size(); peer++) {
            note(device, peer);
        }
        for (int peer = 0; peer < device.size(); peer++) {
            awaitNote(device, peer);
        }
    }

    static void send(Device device, int to, int tag, int length, long seed) {
        device.send(Payload.of(seed, length), 0, length, to, tag, 0);
    }

    /** Receives a message of this tag, of this length and with the bytes of the seed. */
    static void expect(Device device, int from, int tag, int length, long seed) {
        byte[] bytes = new byte[length];
        Request request = device.recv(bytes, 0, length, from, tag, 0);
        assertThat(request.length()).isEqualTo(length);
        request.release();
        assertThat(Payload.difference(bytes, seed))
                .as("message of rank %s, tag %s", from, tag)
                .isEmpty();
    }

    /** Waits for a request, and gives it back. */
    static void finish(@Nullable Request request) {
        if (request != null) {
            request.await();
            assertThat(request.isDone()).isTrue();
            assertThat(request.failure()).isNull();
            request.release();
        }
    }

    static void failsWith(ErrorClass errorClass, String words, ThrowingCallable call) {
        assertThatExceptionOfType(DeviceException.class)
                .isThrownBy(call)
                .withMessageContaining(words)
                .satisfies(failure ->
                        assertThat(failure.errorClass()).as("%s", failure).isEqualTo(errorClass));
    }
}
