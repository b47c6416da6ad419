package org.galerna.link.hybrid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import org.galerna.link.CommunicationException;
import org.galerna.link.LinkOptions;
import org.galerna.link.LinkProvider;
import org.galerna.link.Wireup;
import org.galerna.testkit.Fault;
import org.galerna.testkit.wireup.ForwardingWireup;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What ranks use when the fastest link cannot be had. */
class FallbackTest {
    private static final String SHARED_FOLDER = "galerna.shm.folder";
    private static final List<String> LINKS = List.of("threads", "shm", "unix", "tcp");

    @AfterEach
    void useTheUsualFolder() {
        System.clearProperty(SHARED_FOLDER);
    }

    /** Two ranks that are processes of one host. */
    private static List<Wireup> job() {
        return SpreadJob.create(2, (one, other) -> one.equals(other), (one, other) -> true);
    }

    private static HybridLink open(List<String> names, Wireup wireup) {
        return HybridLink.open(names, wireup, LinkOptions.DEFAULT);
    }

    @Test
    void sharedMemoryIsUsedWhereItCanBe() {
        List<Wireup> job = job();
        try (HybridLink one = open(LINKS, job.getFirst());
                HybridLink other = open(LINKS, job.getLast())) {
            assertThat(one.via(1).name()).isEqualTo("shm");
            assertThat(other.via(0).name()).isEqualTo("shm");
            assertThat(one.against(1)).noneMatch(each -> each.startsWith("unix"));
        }
    }

    @Test
    void filesAreSocketsWhereThereIsNoFolderForSharedMemory() {
        System.setProperty(SHARED_FOLDER, "/no/such/folder");
        List<Wireup> job = job();
        try (HybridLink one = open(LINKS, job.getFirst());
                HybridLink other = open(LINKS, job.getLast())) {
            assertThat(one.via(1).name()).isEqualTo("unix");
            assertThat(other.via(0).name()).isEqualTo("unix");
            assertThat(one.against(1))
                    .anySatisfy(reason -> assertThat(reason).startsWith("shm: ").contains("/no/such/folder"));
        }
    }

    @Test
    @Fault(28)
    void aLinkThatCannotBeOpenedIsDoneWithout(@TempDir Path small) throws Exception {
        assumeTrue(run("mount", "-t", "tmpfs", "-o", "nr_inodes=2", "tmpfs", small.toString()), "needs root");
        try {
            System.setProperty(SHARED_FOLDER, small.toString());
            List<Wireup> job = job();
            // there is room for the folder of the user, and so nothing against it before it is opened
            Optional<String> reason = LinkProvider.named("shm").unavailable(job.getFirst());
            assertThat(reason).isEmpty();
            try (HybridLink one = open(LINKS, job.getFirst());
                    HybridLink other = open(LINKS, job.getLast())) {
                assertThat(one.via(1).name()).isEqualTo("unix");
                assertThat(other.via(0).name()).isEqualTo("unix");
                assertThat(one.against(1))
                        .anySatisfy(each -> assertThat(each)
                                .startsWith("shm: rank 0 cannot use shared memory")
                                .contains(small.toString()));
            }
        } finally {
            assertThat(run("umount", "--lazy", small.toString())).isTrue();
        }
    }

    private static boolean run(String... command) throws Exception {
        return new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start()
                        .waitFor()
                == 0;
    }

    @Test
    void ranksThatDifferInWhatTheyHaveAgreeOnWhatBothHave() throws Exception {
        List<Wireup> job = job();
        try (HybridLink one = open(LINKS, job.getFirst())) {
            System.setProperty(SHARED_FOLDER, "/no/such/folder");
            try (HybridLink other = open(LINKS, job.getLast())) {
                assertThat(one.via(1).name()).isEqualTo("tcp");
                assertThat(other.via(0).name()).isEqualTo("tcp");
                assertThat(one.against(1))
                        .anySatisfy(reason -> assertThat(reason).startsWith("shm: rank 1 "));
                assertThat(other.against(0))
                        .anySatisfy(reason -> assertThat(reason).startsWith("shm: there is no folder"))
                        .anySatisfy(reason -> assertThat(reason).startsWith("unix: rank 0 "));
            }
        }
    }

    /** Two ranks that are known to be processes of one host. */
    private static List<Wireup> jobOfOneHost() {
        return SpreadJob.create(2, (one, other) -> one.equals(other), (one, other) -> true).stream()
                .map(OfOneHost::new)
                .map(Wireup.class::cast)
                .toList();
    }

    @Test
    void onOneHostLinksToOthersArePutOff() {
        List<Wireup> job = jobOfOneHost();
        try (HybridLink one = open(LINKS, job.getFirst());
                HybridLink other = open(LINKS, job.getLast())) {
            assertThat(one.openFurther()).isFalse();
            assertThat(other.openFurther()).isFalse();
            assertThat(one.via(1).name()).isEqualTo("shm");
            assertThat(job)
                    .allSatisfy(each ->
                            assertThat(((OfOneHost) each).keys).isNotEmpty().noneMatch(key -> key.contains("tcp")));
        }
    }

    @Test
    void onOneHostLinksToOthersAreOpenedWhereARankCannotShareMemory() {
        List<Wireup> job = jobOfOneHost();
        try (HybridLink one = open(LINKS, job.getFirst())) {
            System.setProperty(SHARED_FOLDER, "/no/such/folder");
            try (HybridLink other = open(LINKS, job.getLast())) {
                assertThat(one.openFurther()).isTrue();
                assertThat(other.openFurther()).isTrue();
                assertThat(one.via(1).name()).isEqualTo("tcp");
                assertThat(other.via(0).name()).isEqualTo("tcp");
            }
        }
    }

    @Test
    void onOneHostFileSocketsAreEnoughWhereNobodySharesMemory() {
        System.setProperty(SHARED_FOLDER, "/no/such/folder");
        List<Wireup> job = jobOfOneHost();
        try (HybridLink one = open(LINKS, job.getFirst());
                HybridLink other = open(LINKS, job.getLast())) {
            assertThat(one.openFurther()).isFalse();
            assertThat(other.openFurther()).isFalse();
            assertThat(one.via(1).name()).isEqualTo("unix");
        }
    }

    @Test
    void theOrderThatIsAskedForIsKeptOnOneHost() {
        List<Wireup> job = jobOfOneHost();
        List<String> names = List.of("tcp", "shm");
        try (HybridLink one = open(names, job.getFirst());
                HybridLink other = open(names, job.getLast())) {
            assertThat(one.openFurther()).isFalse();
            assertThat(other.openFurther()).isFalse();
            assertThat(one.via(1).name()).isEqualTo("tcp");
        }
    }

    @Test
    void whereAllHavePublishedTheSameNoRankIsAskedFor() {
        List<Wireup> job = SpreadJob.create(3, (one, other) -> one.equals(other), (one, other) -> true).stream()
                .<Wireup>map(OfOnePlace::new)
                .toList();
        List<String> names = List.of("quantum", "shm", "unix", "tcp");
        try (HybridLink one = open(names, job.getFirst());
                HybridLink second = open(names, job.get(1));
                HybridLink third = open(names, job.getLast())) {
            assertThat(one.openFurther()).isFalse();
            assertThat(one.reachesAll()).isTrue();
            assertThat(one.via(2).name()).isEqualTo("shm");
            assertThat(one.against(2)).containsExactly("quantum: not on the class path");
            assertThat(one.simplified().name()).isEqualTo("shm");
            assertThat(second.openFurther()).isFalse();
            assertThat(third.openFurther()).isFalse();
        }
    }

    /** A wire-up that knows what all have published, and does not tell what one has. */
    private static final class OfOnePlace extends ForwardingWireup {
        OfOnePlace(Wireup real) {
            super(real);
        }

        @Override
        public boolean isOneHost() {
            return true;
        }

        @Override
        public Optional<byte[]> common(String key) {
            return Optional.of(super.get(0, key));
        }

        @Override
        public byte[] get(int rank, String key) {
            throw new AssertionError("rank " + rank + " is asked for " + key);
        }
    }

    /** A wire-up that knows that all ranks are on one host, and remembers what was published. */
    private static final class OfOneHost extends ForwardingWireup {
        final Set<String> keys = new ConcurrentSkipListSet<>();

        OfOneHost(Wireup real) {
            super(real);
        }

        @Override
        public boolean isOneHost() {
            return true;
        }

        @Override
        public void put(String key, byte[] value) {
            keys.add(key);
            super.put(key, value);
        }
    }

    @Test
    void aLinkThatIsNotOnTheClassPathIsDoneWithout() {
        List<Wireup> job = job();
        List<String> names = List.of("quantum", "tcp");
        try (HybridLink one = open(names, job.getFirst());
                HybridLink other = open(names, job.getLast())) {
            assertThat(one.via(1).name()).isEqualTo("tcp");
            assertThat(other.against(0)).containsExactly("quantum: not on the class path");
        }
        assertThatExceptionOfType(CommunicationException.class)
                .isThrownBy(() -> open(List.of("quantum"), job().getFirst()))
                .withMessage("rank 0 can use no link (quantum: not on the class path)");
    }
}
