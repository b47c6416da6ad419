package org.galerna.launch.meeting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.galerna.launch.council.Place;
import org.galerna.testkit.Fault;
import org.galerna.testkit.RankThreads;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Ranks that meet through a file. */
class MemberTest {
    private static final MeetingPoint.Threads THREADS =
            (name, task) -> Thread.ofPlatform().daemon().name(name).start(task);

    @TempDir
    private Path folder;

    private Member join(int rank, int size) throws IOException {
        return Member.join(MeetingFile.of(folder, "job"), rank, size, THREADS, waiting -> {
            throw new AssertionError(waiting);
        });
    }

    private static byte[] value(int rank, int fence) {
        return ("value of " + rank + " at " + fence).getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void whatAllPublishReachesAll() throws IOException {
        RankThreads.run(5, rank -> {
            Member member = join(rank, 5);
            for (int fence = 0; fence < 20; fence++) {
                member.put("key." + fence, value(rank, fence));
                member.put("long." + fence, new byte[1 << 15]);
                member.fence();
                for (int other = 0; other < 5; other++) {
                    assertThat(member.get(other, "key." + fence)).isEqualTo(value(other, fence));
                    assertThat(member.get(other, "long." + fence)).hasSize(1 << 15);
                    assertThat(member.get(other, "key.0")).isEqualTo(value(other, 0));
                }
            }
            assertThatThrownBy(() -> member.get(1, "nothing")).hasMessage("rank 1 has published no nothing");
            member.finish();
        });
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    @Fault(17)
    void whoHasEndedIsNamedToThoseThatWait() {
        RankThreads.run(3, rank -> {
            Member member = join(rank, 3);
            member.fence();
            if (rank == 2) {
                member.finish();
            } else {
                assertThatThrownBy(member::fence)
                        .isInstanceOf(IOException.class)
                        .hasMessage("rank 2 has ended");
                assertThatThrownBy(member::fence).hasMessage("rank 2 has ended");
            }
        });
    }

    @Test
    void whoLeavesFirstTakesNothingFromTheOthers() {
        RankThreads.run(4, rank -> {
            Member member = join(rank, 4);
            member.put("key", value(rank, 0));
            member.fence();
            if (rank == 0) {
                member.finish(); // with it the place where they met
            }
            for (int other = 0; other < 4; other++) {
                assertThat(member.get(other, "key")).isEqualTo(value(other, 0));
            }
        });
    }

    @Test
    void theEndOfTheJobReachesThoseThatWait() {
        CountDownLatch ended = new CountDownLatch(2);
        RankThreads.run(3, rank -> {
            Member member = join(rank, 3);
            member.fence();
            if (rank == 1) {
                member.abort(13, "had enough");
            } else {
                CompletableFuture<Integer> status = new CompletableFuture<>();
                member.onAbort(status::complete);
                Thread waiting = Thread.ofPlatform()
                        .start(() -> assertThatThrownBy(member::fence).isInstanceOf(IOException.class));
                assertThat(status.get(10, TimeUnit.SECONDS)).isEqualTo(13);
                ended.countDown();
                waiting.interrupt(); // which is nothing to a fence
            }
            ended.await();
        });
    }

    @Test
    void whatAnEarlierJobHasLeftIsReplaced() throws IOException {
        MeetingFile.of(folder, "job").leave(new Invitation(Place.here(1), new byte[32]));
        RankThreads.run(2, rank -> {
            if (rank == 0) {
                Thread.yield();
            }
            Member member = join(rank, 2);
            member.fence();
            member.finish();
        });
    }

    @Test
    @Fault(16)
    void whatKilledJobsHaveLeftIsRemovedAfterAMonth() throws IOException {
        byte[] invitation = new Invitation(Place.here(1), new byte[32]).encode();
        FileTime longAgo = FileTime.from(Instant.now().minus(Duration.ofDays(31)));
        Path complete = Files.write(folder.resolve("pals-1"), invitation);
        Path unfinished = Files.write(folder.resolve("pals-2.invitation~"), new byte[0]);
        Path ofTheUser = Files.writeString(folder.resolve("pals-notes"), "of the user");
        for (Path each : List.of(complete, unfinished, ofTheUser)) {
            Files.setLastModifiedTime(each, longAgo);
        }
        Path ofAnotherJob = Files.write(folder.resolve("pals-3"), invitation);
        MeetingFile.of(folder, "job").leave(new Invitation(Place.here(1), new byte[32]));
        try (Stream<Path> left = Files.list(folder)) {
            assertThat(left).containsExactlyInAnyOrder(ofTheUser, ofAnotherJob, folder.resolve("job"));
        }
    }

    @Test
    void whatAKilledJobOfTheSameNameHasNotFinishedIsReplaced() throws IOException {
        Files.write(folder.resolve("job.invitation~"), new byte[0]);
        MeetingFile.of(folder, "job").leave(new Invitation(Place.here(1), new byte[32]));
        try (Stream<Path> left = Files.list(folder)) {
            assertThat(left).containsExactly(folder.resolve("job"));
        }
    }

    @Test
    void aFolderOrAFileOfOthersIsRefused() throws IOException {
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwx---"));
        assertThatThrownBy(() -> join(1, 2))
                .hasMessage("others than this user may write to " + folder + ": chmod go-w " + folder);
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
        Path elsewhere = Files.createFile(folder.resolve("elsewhere"));
        Files.createSymbolicLink(folder.resolve("job"), elsewhere);
        assertThatThrownBy(() -> join(1, 2)).isInstanceOf(IOException.class);
    }

    @Test
    void whoDoesNotKnowTheSecretIsNotLetIn() throws Exception {
        MeetingPoint point = MeetingPoint.open(2, THREADS);
        Invitation real = point.invitation();
        var address = real.place().sockets().getFirst();
        Socket socket = new Socket(address.getAddress(), address.getPort());
        assertThatThrownBy(() -> MeetingLine.call(socket, 1, new byte[32])).hasMessage("another process listens there");
        try (Socket silent = new Socket(address.getAddress(), address.getPort());
                Socket noise = new Socket(address.getAddress(), address.getPort())) {
            noise.getOutputStream().write("GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            assertThat(noise.getInputStream().read()).as("closed").isEqualTo(-1);
            try (MeetingLine line =
                    MeetingLine.call(new Socket(address.getAddress(), address.getPort()), 1, real.secret())) {
                assertThat(line.rank()).isEqualTo(1); // while another one is silent
            }
            assertThat(silent.isConnected()).isTrue();
        }
        point.close();
    }
}
