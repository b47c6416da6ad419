package org.galerna.nativeaccess.file;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.util.Random;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
@SuppressWarnings("restricted") // pipes and signals are made by hand
class FileDescriptorTest {
    private int readingEnd;
    private int writingEnd;

    @BeforeEach
    void openPipe() throws Throwable {
        Linker linker = Linker.nativeLinker();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment ends = arena.allocate(JAVA_INT, 2);
            int status = (int) linker.downcallHandle(
                            linker.defaultLookup().findOrThrow("pipe"), FunctionDescriptor.of(JAVA_INT, ADDRESS))
                    .invokeExact(ends);
            assertThat(status).isZero();
            readingEnd = ends.getAtIndex(JAVA_INT, 0);
            writingEnd = ends.getAtIndex(JAVA_INT, 1);
        }
    }

    @AfterEach
    void closePipe() throws Throwable {
        close(readingEnd);
        close(writingEnd);
    }

    private static void close(int number) throws Throwable {
        Linker linker = Linker.nativeLinker();
        int unused = (int) linker.downcallHandle(
                        linker.defaultLookup().findOrThrow("close"), FunctionDescriptor.of(JAVA_INT, JAVA_INT))
                .invokeExact(number);
    }

    @Test
    void bytesArriveHoweverManyTheyAre() throws Exception {
        byte[] sent = new byte[1_000_000];
        new Random(7).nextBytes(sent);
        FutureTask<byte[]> reading =
                new FutureTask<>(() -> new FileDescriptor(readingEnd).input().readNBytes(sent.length));
        Thread.ofPlatform().start(reading);
        new FileDescriptor(writingEnd).output().write(sent);
        assertThat(reading.get()).isEqualTo(sent);
    }

    @Test
    void theEndOfAStreamIsSeen() throws Throwable {
        new FileDescriptor(writingEnd).output().write(5);
        close(writingEnd);
        assertThat(new FileDescriptor(readingEnd).input().read()).isEqualTo(5);
        assertThat(new FileDescriptor(readingEnd).input().read()).isEqualTo(-1);
        assertThat(new FileDescriptor(readingEnd).input().read(new byte[3])).isEqualTo(-1);
    }

    @Test
    void saysWhatIsInThePipe() throws IOException {
        FileDescriptor writer = new FileDescriptor(writingEnd);
        assertThat(writer.unread()).isZero();
        writer.output().write(new byte[100]);
        assertThat(writer.unread()).isEqualTo(100);
        new FileDescriptor(readingEnd).input().readNBytes(60);
        assertThat(writer.unread()).isEqualTo(40);
    }

    @Test
    void errorsHaveTheSystemsWords() {
        FileDescriptor none = new FileDescriptor(1_000_000);
        assertThatThrownBy(() -> none.input().read())
                .isInstanceOf(IOException.class)
                .hasMessage("cannot read from file descriptor 1000000: Bad file descriptor");
        assertThatThrownBy(() -> none.output().write(1))
                .isInstanceOf(IOException.class)
                .hasMessage("cannot write to file descriptor 1000000: Bad file descriptor");
        assertThat(none.unread()).isZero();
    }
}
