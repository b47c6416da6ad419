package org.galerna.bench.peers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.galerna.bench.suite.Answer;
import org.galerna.bench.suite.Command;
import org.galerna.bench.suite.Contender;
import org.galerna.bench.suite.ContenderException;
import org.galerna.bench.suite.ContenderFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class PeersTest {
    private static final List<Integer> SIZES = List.of(1, 8, 1000, 65_536, 3_000_000);

    @Test
    void peersAreFoundByTheNamesThatUsersType() {
        assertThat(ContenderFactory.peers())
                .extracting(ContenderFactory::name)
                .contains(
                        "aeron",
                        "aeron-udp",
                        "grpc",
                        "mpich",
                        "mpich-ofi",
                        "mpjexpress",
                        "netty",
                        "openmpi",
                        "openmpi-java",
                        "openmpi-nocma",
                        "openmpi-ofi",
                        "openmpi-ucx",
                        "rmi",
                        "sockets",
                        "unix");
    }

    @ParameterizedTest
    @MethodSource("quickPairs")
    void pairsAreMeasuredAtEverySize(ContenderFactory peer) {
        everySize(peer);
    }

    /** Libraries that are compiled against when they are started, in virtual machines of their own. */
    @ParameterizedTest
    @MethodSource("slowPairs")
    @Tag("slow")
    void librariesAreMeasuredAtEverySize(ContenderFactory peer) {
        everySize(peer);
    }

    private static void everySize(ContenderFactory peer) {
        try (Contender contender = started(peer, 2)) {
            assertThat(contender.name()).isEqualTo(peer.name());
            for (int bytes : SIZES) {
                assertThat(nanoseconds(contender, new Command("latency", bytes, 3, 0)))
                        .isPositive();
                assertThat(nanoseconds(contender, new Command("bandwidth", bytes, 2, 4)))
                        .isPositive();
                assertThat(nanoseconds(contender, new Command("rate", bytes, 2, 64)))
                        .isPositive();
            }
        }
    }

    @ParameterizedTest
    @MethodSource("peers")
    @Tag("slow")
    void percentilesAscend(ContenderFactory peer) {
        try (Contender contender = started(peer, 2)) {
            assertThat(values(contender, new Command("percentiles latency", 8, 2000, 0)))
                    .hasSize(5)
                    .isSorted()
                    .first()
                    .satisfies(median -> assertThat(median).isPositive());
        }
    }

    @ParameterizedTest
    @MethodSource("peers")
    @Tag("slow")
    void whatIsUnknownIsRefusedAndDoesNoHarm(ContenderFactory peer) {
        try (Contender contender = started(peer, 2)) {
            assertThat(contender.run(new Command("telepathy", 8, 10, 0))).isInstanceOf(Answer.Refused.class);
            assertThat(nanoseconds(contender, new Command("latency", 8, 10, 0))).isPositive();
        }
    }

    @ParameterizedTest
    @MethodSource("implementationsOfMpi")
    @Tag("slow")
    void collectivesAreMeasured(ContenderFactory peer) {
        int ranks = peer.name().equals("mpich") ? 2 : 3;
        try (Contender contender = started(peer, ranks)) {
            for (String benchmark : List.of(
                    "barrier",
                    "bcast",
                    "reduce",
                    "allreduce",
                    "allgather",
                    "alltoall",
                    "gather",
                    "scatter",
                    "reducescatter",
                    "scan",
                    "bibandwidth")) {
                for (int bytes : List.of(8, 4096, 1 << 20)) {
                    assertThat(nanoseconds(contender, new Command(benchmark, bytes, 2, 4)))
                            .as("%s of %d bytes", benchmark, bytes)
                            .isPositive();
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("implementationsOfMpi")
    void whatCannotBeMeasuredIsRefusedWithTheReason(ContenderFactory peer) {
        try (Contender contender = started(peer, 2)) {
            assertThat(contender.run(new Command("allreduce", 12, 1, 0)).toLine())
                    .isEqualTo("no the size of a vector of doubles must be a multiple of 8 bytes");
            assertThat(contender.run(new Command("rate", 8, 1, 0)).toLine())
                    .isEqualTo("no the window must be 1 to 1048576 messages");
            assertThat(contender.run(new Command("latency", -1, 1, 0)).toLine())
                    .isEqualTo("no the size must be 0 to 2147483647 bytes");
            assertThat(contender.run(new Command("latency", 1, 0, 0)).toLine())
                    .isEqualTo("no there must be 1 to 1000000000 iterations");
            assertThat(contender.run(new Command("percentiles rate", 8, 1, 1)).toLine())
                    .isEqualTo("no percentiles are of latency only");
        }
    }

    @Test
    void aPairCannotHaveThreeRanks() {
        assertThatExceptionOfType(ContenderException.class)
                .isThrownBy(() -> new TcpSockets().start(3))
                .withMessage("sockets connects two ranks only");
    }

    @Test
    void anMpiThatIsMissingSaysWhatToInstall(@TempDir Path empty) {
        OpenMpi openMpi = new OpenMpi("openmpi", List.of(empty));
        assertThat(openMpi.unavailable())
                .contains("its mpiexec, and an mpicc that finds mpi.h, are not on the PATH: apt-get install "
                        + "openmpi-bin libopenmpi-dev");
        assertThatExceptionOfType(ContenderException.class)
                .isThrownBy(() -> openMpi.start(2))
                .withMessageContaining("apt-get install openmpi-bin");
        assertThat(new Mpich(List.of(empty)).unavailable())
                .hasValueSatisfying(line -> assertThat(line).endsWith("apt-get install mpich libmpich-dev"));
    }

    @Test
    void javaBindingsThatAreMissingSayWhatToDo(@TempDir Path empty) {
        assertThat(new OpenMpiJava(List.of(empty), "").unavailable())
                .hasValueSatisfying(
                        reason -> assertThat(reason).endsWith("apt-get install openmpi-bin libopenmpi-dev"));
        assumeTrue(new OpenMpi().unavailable().isEmpty(), "there is no Open MPI");
        Path nothing = empty.resolve("mpi.jar");
        assertThat(new MpjExpress(empty).unavailable())
                .get()
                .asString()
                .contains("apt-get install libmpj-java", "MPJ_HOME");
        assertThat(new MpjExpress(empty).version()).isEmpty();
        OpenMpiJava elsewhere = new OpenMpiJava(MpiInstallation.searchPath(), nothing.toString());
        assertThat(elsewhere.unavailable()).contains("OPENMPI_JAR is " + nothing + ", where no file is");
        assertThatExceptionOfType(ContenderException.class)
                .isThrownBy(() -> elsewhere.start(2))
                .withMessageContaining("OPENMPI_JAR");
    }

    @Test
    void aeronWithoutMavenSaysWhatToInstall(@TempDir Path empty) {
        assertThat(new AeronIpc(Optional.of(empty), List.of(empty)).unavailable())
                .contains("Maven, which fetches io.aeron:aeron-all:1.51.0, is not on the PATH: apt-get install maven");
    }

    @Test
    void nettyWithoutMavenSaysWhatToInstall(@TempDir Path empty) {
        assertThat(new NettyTcp(Optional.of(empty), List.of(empty)).unavailable())
                .hasValueSatisfying(reason -> assertThat(reason)
                        .contains("io.netty:netty-transport-native-epoll")
                        .endsWith("apt-get install maven"));
    }

    @Test
    void oneMpiIsNotTakenForTheOther() {
        List<Path> folders = MpiInstallation.searchPath();
        Optional<MpiInstallation> mpich = MpiInstallation.find("mpich", List.of("HYDRA"), folders);
        Optional<MpiInstallation> openMpi = MpiInstallation.find("openmpi", List.of("OpenRTE", "Open MPI"), folders);
        assumeTrue(mpich.isPresent(), "there is no MPICH");
        assumeTrue(openMpi.isPresent(), "there is no Open MPI");
        assertThat(mpich).isNotEqualTo(openMpi);
    }

    static Stream<ContenderFactory> peers() {
        return Stream.of(
                new AeronIpc(),
                new Mpich(),
                new OpenMpi(),
                new OpenMpiTwoCopies(),
                new TcpSockets(),
                new UnixSockets());
    }

    /** Netty too, which is compiled for each of its tests as Aeron is, and shows there what they have in common. */
    static Stream<ContenderFactory> quickPairs() {
        return peers().filter(peer -> !(peer instanceof AeronIpc));
    }

    static Stream<ContenderFactory> slowPairs() {
        return Stream.of(
                new AeronIpc(),
                new AeronUdp(),
                new NettyTcp(),
                new GrpcJava(),
                new JavaRmi(),
                new OpenMpiJava(),
                new MpichOfi(ofCurrentLibraries()),
                new OpenMpiOfi(),
                new OpenMpiUcx(),
                new MpjExpress());
    }

    /** The search path of commands, and the programs beside the libraries of the archive that has current ones. */
    private static List<Path> ofCurrentLibraries() {
        List<Path> folders = new ArrayList<>(MpiInstallation.searchPath());
        String libraries = System.getenv("GALERNA_TEST_LIBRARIES");
        if (libraries != null) {
            folders.add(Path.of(libraries, "..", "..", "bin"));
        }
        return folders;
    }

    static Stream<ContenderFactory> implementationsOfMpi() {
        return peers().filter(MpiPeer.class::isInstance);
    }

    private static Contender started(ContenderFactory peer, int ranks) {
        assumeTrue(peer.unavailable().isEmpty(), () -> peer.unavailable().orElse(""));
        try {
            return peer.start(ranks);
        } catch (ContenderException failed) {
            // a machine without a network
            assumeFalse(String.valueOf(failed.getMessage()).startsWith("fetching"), failed::getMessage);
            throw failed;
        }
    }

    private static double nanoseconds(Contender contender, Command command) {
        List<Double> values = values(contender, command);
        assertThat(values).hasSize(1);
        return values.getFirst();
    }

    private static List<Double> values(Contender contender, Command command) {
        Answer answer = contender.run(command);
        assertThat(answer).as("answer to %s", command.toLine()).isInstanceOf(Answer.Values.class);
        return ((Answer.Values) answer).values();
    }
}
