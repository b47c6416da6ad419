package org.galerna.link.shm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.galerna.link.Channel;
import org.galerna.link.CommunicationException;
import org.galerna.link.Descriptor;
import org.galerna.link.FrameHandler;
import org.galerna.link.Link;
import org.galerna.link.LinkOptions;
import org.galerna.link.LinkProvider;
import org.galerna.link.Region;
import org.galerna.link.shm.attachment.Attachment;
import org.galerna.link.shm.file.PairFile;
import org.galerna.link.shm.file.RingSize;
import org.galerna.link.shm.transfer.TransferLayout;
import org.galerna.link.support.KeyedRegion;
import org.galerna.link.wireup.InProcessWireup;
import org.galerna.memory.RecordProducer;
import org.galerna.memory.SpscProducer;
import org.galerna.testkit.Deadline;
import org.galerna.testkit.Fault;
import org.galerna.testkit.RankThreads;
import org.galerna.testkit.Seeds;
import org.galerna.testkit.link.LinkRank;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A peer that writes anything into the memory it shares spoils what it sends and nothing else. */
class HostilePeerTest {
    private static final int VICTIM = 0;
    private static final int HOSTILE = 1;

    private SharedFolder folder;
    private List<InProcessWireup> job;
    private Link victim;
    private Attachment hostile;
    private final Map<Integer, String> lost = new HashMap<>();

    @BeforeEach
    void attachBoth() throws IOException {
        folder = new SharedFolder();
        job = SharedFolder.newJob(2);
        victim = LinkProvider.named("shm").open(job.get(VICTIM), LinkOptions.DEFAULT);
        hostile = Attachment.of(job.get(HOSTILE), null);
    }

    @AfterEach
    void leave() throws IOException {
        victim.close();
        hostile.close();
        folder.close();
    }

    private final class Sink implements FrameHandler {
        @Override
        public void onFrame(int peer, MemorySegment memory, long offset, int length) {
            assertThat(offset).isBetween(0L, memory.byteSize() - length);
            assertThat(length).isBetween(0, victim.traits().maximumFrame());
        }

        @Override
        public void onPeerLost(int peer, String reason) {
            lost.put(peer, reason);
        }
    }

    private void announce() {
        hostile.board().announce(HOSTILE, VICTIM);
        hostile.board().raise(VICTIM);
    }

    private void poll() {
        victim.poll(new Sink(), 64);
        victim.rma().assist();
    }

    private void isGivenUp() {
        Deadline deadline = Deadline.after(RankThreads.LIMIT);
        while (lost.isEmpty()) {
            deadline.check("the hostile peer is given up");
            poll();
        }
        assertThat(lost).containsOnlyKeys(HOSTILE);
        assertThat(lost.get(HOSTILE)).contains("no rank of this version writes");
        assertThat(victim.connect(HOSTILE).claim(8)).isEqualTo(Channel.CLOSED);
        // its own memory works as ever
        Channel self = victim.connect(VICTIM);
        long claim = self.claim(8);
        self.commit(claim, 8);
        self.flush();
        assertThat(victim.poll(new Sink(), 64)).isOne();
    }

    private static void scribble(MemorySegment memory, Random random, int words) {
        for (int word = 0; word < words; word++) {
            long at = random.nextLong(memory.byteSize() / 8) * 8;
            long value = switch (random.nextInt(4)) {
                case 0 -> random.nextLong();
                case 1 -> random.nextInt(64);
                case 2 -> -random.nextInt(64);
                default -> ((long) random.nextInt() << 32) | random.nextInt(8);
            };
            memory.set(ValueLayout.JAVA_LONG, at, value);
        }
    }

    @Test
    @Fault(14)
    void garbageInTheRingOfFramesDoesNoHarm() throws IOException {
        long seed = Seeds.next("garbageInTheRingOfFramesDoesNoHarm");
        Random random = new Random(seed);
        PairFile file =
                hostile.createFrames(VICTIM, new RingSize(64, 16 * 1024), false).file();
        announce();
        poll();
        for (int round = 0; round < 2000 && lost.isEmpty(); round++) {
            scribble(file.first().memory(), random, 100);
            poll();
        }
        // a commit word of the first round that claims more than a line holds
        MemorySegment ring = file.first().memory();
        for (int line = 384; line < 384 + 64 * 32; line += 64) {
            for (int turn = 0; turn < 64 && lost.isEmpty(); turn++) {
                ring.set(ValueLayout.JAVA_LONG, line, 0x10000000_00000000L | turn);
                ring.set(ValueLayout.JAVA_LONG, line + 56, 0x10000000_00000000L | turn);
                poll();
            }
        }
        isGivenUp();
    }

    @Test
    @Fault({3, 14})
    void garbageInTheFileOfTransfersDoesNoHarm() throws IOException {
        long seed = Seeds.next("garbageInTheFileOfTransfersDoesNoHarm");
        Random random = new Random(seed);
        MemorySegment memory = MemorySegment.ofArray(new byte[100_000]);
        try (Region region = victim.rma().register(memory)) {
            PairFile file = hostile.createTransfers(VICTIM);
            announce();
            poll();
            MemorySegment requests = file.first().memory();
            // sound requests with wild numbers first, so that the garbage meets a transfer under way
            SpscProducer producer = new SpscProducer(file.first());
            for (long[] range :
                    new long[][] {{0, 100_000}, {-1, 8}, {99_999, 2}, {Long.MAX_VALUE, 1}, {1, Long.MAX_VALUE}}) {
                long claim = producer.claim(TransferLayout.REQUEST_BYTES);
                long at = RecordProducer.offset(claim);
                requests.set(ValueLayout.JAVA_LONG, at, TransferLayout.GET);
                requests.set(ValueLayout.JAVA_LONG, at + TransferLayout.KEY, KeyedRegion.key(Descriptor.of(region)));
                requests.set(ValueLayout.JAVA_LONG, at + TransferLayout.OFFSET, range[0]);
                requests.set(ValueLayout.JAVA_LONG, at + TransferLayout.LENGTH, range[1]);
                producer.commit(claim, TransferLayout.REQUEST_BYTES);
                poll();
            }
            assertThat(lost).isEmpty();
            for (int round = 0; round < 1000; round++) {
                scribble(file.first().memory(), random, 100);
                scribble(file.second().memory(), random, 100);
                poll();
            }
            long claim = producer.claim(8);
            if (claim >= 0) {
                producer.commit(claim, 8);
            }
            poll();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {TransferLayout.BYTES, 99}) // more bytes than asked for, and no kind at all
    @Fault({3, 14})
    void garbageInAnswersFailsTheTransferAlone(int kind) throws IOException {
        List<CommunicationException> failures = new ArrayList<>();
        MemorySegment local = MemorySegment.ofArray(new byte[1000]);
        victim.rma().get(HOSTILE, LinkRank.descriptor(new byte[] {1, 0, 0, 0, 0, 0, 0, 0}), 0, local, failure -> {
            assertThat(failure).isNotNull();
            failures.add(failure);
        });
        PairFile file = hostile.openTransfers(VICTIM);
        SpscProducer producer = new SpscProducer(file.second());
        int length = TransferLayout.BYTES_START + 2000;
        long claim = producer.claim(length);
        file.second().memory().set(ValueLayout.JAVA_LONG, RecordProducer.offset(claim), kind);
        producer.commit(claim, length);
        isGivenUp();
        assertThat(failures).hasSize(1);
        assertThat(failures.getFirst()).hasMessageContaining("rank 1");
    }

    @Test
    @Fault(13)
    void filesThatAreCutOffOrOfAnotherKindAreNotOpened() throws IOException {
        Path ring = folder.job(job.getFirst()).resolve("0.frames-1-0.0");
        PairFile sound =
                hostile.createFrames(VICTIM, new RingSize(64, 16 * 1024), false).file();
        assertThat(sound.isConcurrent()).isFalse();
        byte[] bytes = Files.readAllBytes(ring);
        Files.write(ring, Arrays.copyOf(bytes, 3000));
        announce();
        isGivenUp();
        assertThat(ring).doesNotExist();
    }

    @Test
    @Fault(13)
    void aFileThatIsCutOffWhileItIsInUseIsAnErrorAndNoCrash() throws IOException {
        Path ring = folder.job(job.getFirst()).resolve("0.frames-1-0.0");
        PairFile file =
                hostile.createFrames(VICTIM, new RingSize(64, 16 * 1024), false).file();
        assertThat(file.isClosed()).isFalse();
        try (FileChannel channel = FileChannel.open(ring, StandardOpenOption.WRITE)) {
            announce();
            poll();
            assertThat(ring).doesNotExist();
            channel.truncate(0);
        }
        // only a process of the same user can do that; what it gets is an error of this rank, in words of the JVM
        assertThatExceptionOfType(InternalError.class)
                .isThrownBy(() -> {
                    for (int look = 0; look < 100_000; look++) {
                        poll();
                    }
                })
                .withMessageContaining("memory access");
    }

    @Test
    @Fault(12)
    void aSymbolicLinkInPlaceOfARingIsNotFollowed() throws IOException {
        Path ring = folder.job(job.getFirst()).resolve("0.frames-1-0.0");
        Path secret = Files.write(folder.path().resolve("secret"), new byte[100_000]);
        Files.createSymbolicLink(ring, secret);
        announce();
        isGivenUp();
        assertThat(secret).exists().hasSize(100_000);
    }
}
