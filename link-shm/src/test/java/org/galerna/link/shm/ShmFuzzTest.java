package org.galerna.link.shm;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.galerna.link.Descriptor;
import org.galerna.link.FrameHandler;
import org.galerna.link.Link;
import org.galerna.link.LinkOptions;
import org.galerna.link.LinkProvider;
import org.galerna.link.Region;
import org.galerna.link.shm.attachment.Attachment;
import org.galerna.link.shm.file.HostAddress;
import org.galerna.link.shm.file.PairFile;
import org.galerna.link.shm.file.RingSize;
import org.galerna.link.shm.transfer.TransferLayout;
import org.galerna.link.support.KeyedRegion;
import org.galerna.link.wireup.InProcessWireup;
import org.galerna.memory.RecordConsumer;
import org.galerna.memory.RecordProducer;
import org.galerna.memory.SpscProducer;
import org.galerna.testkit.Fault;
import org.galerna.testkit.Fuzzer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Files, addresses and records of a peer that are made up: they lose that peer, and do no harm. */
class ShmFuzzTest {
    private SharedFolder folder;

    @BeforeEach
    void makeTheFolder() throws IOException {
        folder = new SharedFolder();
    }

    @AfterEach
    void removeTheFolder() throws IOException {
        folder.close();
    }

    /** The other side of a job of two ranks, of which rank 1 is hostile. */
    private static final class Job implements AutoCloseable, FrameHandler {
        final List<InProcessWireup> wireups = SharedFolder.newJob(2);
        final Link victim = LinkProvider.named("shm").open(wireups.getFirst(), LinkOptions.DEFAULT);
        final Attachment hostile;
        boolean lost;
        int files;

        Job() throws IOException {
            hostile = Attachment.of(wireups.getLast(), null);
        }

        @Override
        public void onFrame(int peer, MemorySegment memory, long offset, int length) {
            assertThat(memory.asSlice(offset, length).toArray(ValueLayout.JAVA_BYTE))
                    .hasSize(length);
        }

        @Override
        public void onPeerLost(int peer, String reason) {
            assertThat(peer).isOne();
            lost = true;
        }

        void poll() {
            for (int look = 0; look < 3; look++) {
                victim.poll(this, 64);
                victim.rma().assist();
            }
        }

        void announce() {
            hostile.board().announce(1, 0);
            hostile.board().raise(0);
        }

        @Override
        public void close() {
            victim.close();
            hostile.close();
        }
    }

    private void files(boolean briefly) throws IOException {
        RingSize small = new RingSize(64, 4096);
        byte[] genuine;
        try (Job job = new Job()) {
            PairFile file = job.hostile.createFrames(0, small, false).file();
            SpscProducer producer = new SpscProducer(file.first());
            for (int length : new int[] {0, 8, 100, 1000}) {
                producer.commit(producer.claim(length), length);
            }
            genuine = Files.readAllBytes(folder.job(job.wireups.getFirst()).resolve("0.frames-1-0.0"));
        }
        Job[] current = {new Job()};
        Fuzzer.Decoder open = bytes -> {
            Path path = folder.job(current[0].wireups.getFirst()).resolve("0.frames-1-0." + current[0].files++);
            Files.write(path, bytes);
            current[0].announce();
            current[0].poll();
            assertThat(path)
                    .as("its name is gone, or it was refused")
                    .satisfiesAnyOf(
                            each -> assertThat(each).doesNotExist(),
                            each -> assertThat(current[0].lost).isTrue());
            if (current[0].lost || current[0].files == 100) {
                current[0].close();
                current[0] = new Job();
            }
        };
        try {
            Fuzzer fuzzer = new Fuzzer(List.of(genuine));
            if (briefly) {
                fuzzer.shortRun("ShmFuzzTest.files", 500, open);
            } else {
                fuzzer.longRun("ShmFuzzTest.files", open);
            }
        } finally {
            current[0].close();
        }
    }

    @Test
    @Fault({10, 13, 14})
    void filesAreUsedOrRefused() throws IOException {
        files(true);
    }

    @Test
    @Tag("slow")
    @Fault({10, 13, 14})
    void filesAreUsedOrRefusedForLong() throws IOException {
        files(false);
    }

    private static byte[] request(long kind, long key, long offset, long length) {
        return ByteBuffer.allocate(TransferLayout.REQUEST_BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(kind)
                .putLong(key)
                .putLong(offset)
                .putLong(length)
                .array();
    }

    private void requests(boolean briefly) throws IOException {
        Requests requests = new Requests();
        try {
            Fuzzer fuzzer = new Fuzzer(List.of(
                    request(TransferLayout.GET, requests.key(), 0, 5000),
                    request(TransferLayout.PUT, requests.key(), 8, 100),
                    ByteBuffer.allocate(TransferLayout.BYTES_START + 100)
                            .order(ByteOrder.LITTLE_ENDIAN)
                            .putLong(0, TransferLayout.BYTES)
                            .array()));
            if (briefly) {
                fuzzer.shortRun("ShmFuzzTest.requests", 20_000, requests);
            } else {
                fuzzer.longRun("ShmFuzzTest.requests", requests);
            }
        } finally {
            requests.job.close();
        }
    }

    /** A ring that is sound, with records in it that are not. */
    private static final class Requests implements Fuzzer.Decoder {
        final byte[] inside = new byte[5000];
        Job job;
        Region region;
        SpscProducer producer;
        RecordConsumer answers;
        PairFile file;

        Requests() throws IOException {
            begin();
        }

        private void begin() throws IOException {
            job = new Job();
            region = job.victim.rma().register(MemorySegment.ofArray(inside));
            file = job.hostile.createTransfers(0);
            producer = new SpscProducer(file.first());
            answers = new RecordConsumer(file.second());
            job.announce();
            job.poll();
        }

        long key() {
            return KeyedRegion.key(Descriptor.of(region));
        }

        @Override
        public void read(byte[] bytes) throws IOException {
            int length = Math.min(bytes.length, 2000);
            long claim = producer.claim(length);
            if (claim >= 0) {
                MemorySegment.copy(
                        bytes, 0, file.first().memory(), ValueLayout.JAVA_BYTE, RecordProducer.offset(claim), length);
                producer.commit(claim, length);
            }
            job.poll();
            while (answers.poll() >= 0) {
                answers.release();
            }
            if (job.lost || claim < 0) {
                region.close();
                job.close();
                begin();
            }
        }
    }

    @Test
    @Fault({3, 10, 14})
    void recordsAreServedOrRefused() throws IOException {
        requests(true);
    }

    @Test
    @Tag("slow")
    @Fault({3, 10, 14})
    void recordsAreServedOrRefusedForLong() throws IOException {
        requests(false);
    }

    @Test
    @Fault({8, 10})
    void whateverIsPublishedIsAnAddressOrAnotherVersions() {
        HostAddress own = new HostAddress("machine", 1, 2);
        new Fuzzer(List.of(own.bytes())).shortRun("ShmFuzzTest.addresses", 20_000, bytes -> {
            boolean same = new String(bytes, StandardCharsets.US_ASCII)
                    .equals(new String(own.bytes(), StandardCharsets.US_ASCII));
            assertThat(own.unreachable(1, bytes).isEmpty()).isEqualTo(same);
        });
    }
}
