package org.galerna.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The floors inside a module, from the ground up. Each floor has one room or several, separated by spaces. A room is a
 * package, by its name within the module; {@code .} is the module's own package. A room knows itself and the floors below its
 * own.
 *
 * <p>The package that users see may have two rooms, for it is on both sides of the house: what the rooms between are handed
 * or hand out, such as settings, listeners and exceptions, lies on the ground, and the classes with which users begin, which
 * put the rooms together, lie on top. Then {@code part} lists the classes of one of the two, which has a name of its own.
 */
enum Rooms {
    NATIVE(
            "org.galerna.nativeaccess",
            new Part(""),
            "cache",
            "call",
            "memory file process thread",
            "library socket",
            "pmix ofi ucx verbs"),
    MEMORY("org.galerna.memory", new Part(""), ".", "idle"),
    LINKS(
            "org.galerna.link",
            new Part(""),
            ".",
            "settings",
            "process",
            "wireup handshake counters",
            "support events",
            "transfer",
            "hybrid pair threads ucx shm.file tcp.wire verbs.wire ofi.wire",
            "shm.board tcp.stream tcp.handshake verbs.adapter verbs.registered ofi.adapter",
            "shm.attachment shm.transfer tcp.network verbs.connection ofi.connection",
            "shm.memory tcp.connecting verbs.connecting verbs.transfer ofi.connecting",
            "shm tcp verbs ofi"),
    DEVICE(
            "org.galerna.device",
            new Part(""),
            ".",
            "support",
            "ucx matching.frame recording",
            "matching.request",
            "matching.queue matching.sending",
            "matching.engine",
            "matching"),
    MESSAGING(
            "org.galerna.messaging",
            new Part("face", "MessagingNode", "NodeBuilder", "MessageType", "Authorization"),
            "serialization . support",
            "wire flow waiting handshake counters events",
            "pending coalescing",
            "outbound",
            "dispatch",
            "connection",
            "peers",
            "node",
            "service stream management",
            "face"),
    COLLECTIVES(
            "org.galerna.collectives",
            new Part(""),
            "buffer",
            "reduction",
            "team",
            "algorithm",
            "barrier butterfly shared",
            "alltoall broadcast gather reduce scatter",
            "allgather allreduce reducescatter scan",
            "selection",
            "."),
    MPI_ENGINE(
            "org.galerna.mpi",
            new Part(""),
            "settings datatype group",
            "object topology",
            "session",
            "comm",
            "request",
            "collective"),
    SOCKETS(
            "org.galerna.sockets",
            new Part(
                    "face",
                    "FastSockets",
                    "FastSelectorProvider",
                    "FastInput",
                    "FastOutput",
                    "ArrayMemory",
                    "Agent",
                    "AgentStart",
                    "Launcher"),
            ". settings platform",
            "report",
            "pipe",
            "connection",
            "offer",
            "host network",
            "upgrade",
            "channel",
            "selector socket",
            "face"),
    LAUNCH(
            "org.galerna.launch",
            new Part("words", "BindTo", "RankCode"),
            "words rendezvous output",
            "program",
            "rank place report",
            "watch",
            "council .",
            "meeting",
            "process wireup"),
    PROFILE("org.galerna.profile", new Part(""), ".", "file", "analysis record", "calls otf2"),
    APPLICATIONS(
            "org.galerna.applications", new Part(""), ". picture team", "fdtd fourier lu molecular", "cosmology nas"),
    BENCH(
            "org.galerna.bench",
            new Part(""),
            ". build report",
            "model suite",
            "galerna messaging peers tune",
            "demo sockets start",
            "evaluation"),
    TESTKIT("org.galerna.testkit", new Part(""), ".", "wireup pages", "process", "link device memdev faulty"),
    CLI("org.galerna.cli", new Part(""), "source usage", "options", "program doctor bench profile observe", "run", ".");

    /** Some classes of a module's own package. */
    private record Part(String name, List<String> classes) {
        Part(String name, String... classes) {
            this(name, List.of(classes));
        }
    }

    private static final String OWN = ".";

    private final String module;
    private final Part part;
    private final List<List<String>> floors;

    Rooms(String module, Part part, String... floors) {
        this.module = module;
        this.part = part;
        this.floors = Arrays.stream(floors)
                .map(floor -> List.of(floor.split(" ", -1)))
                .toList();
    }

    /** All rooms, in the order of their floors. */
    List<String> all() {
        List<String> rooms = new ArrayList<>();
        floors.forEach(rooms::addAll);
        return rooms;
    }

    /** The classes of the module. */
    DescribedPredicate<JavaClass> classes() {
        return resideInAPackage(module + "..");
    }

    /** The classes of one room. */
    DescribedPredicate<JavaClass> classesOf(String room) {
        return describe("are in room " + room + " of " + module, each -> room.equals(roomOf(each)));
    }

    /** The classes of the module that a room must not know: those of its own floor but itself, and of all above. */
    DescribedPredicate<JavaClass> classesOutOfReachOf(String room) {
        Set<String> known = new HashSet<>(Set.of(room));
        for (List<String> floor : floors) {
            if (floor.contains(room)) {
                break;
            }
            known.addAll(floor);
        }
        DescribedPredicate<JavaClass> inside = classes();
        return describe(
                "are in another room of " + module + " on the same floor or above",
                each -> inside.test(each) && !known.contains(roomOf(each)));
    }

    /** The room of a class of the module: its package within the module, if that has no place yet. */
    String roomOf(JavaClass each) {
        JavaClass type = each.getBaseComponentType();
        String name = type.getPackageName();
        if (name.equals(module)) {
            String top = type.getName().substring(module.length() + 1).replaceFirst("\\$.*", "");
            return part.classes().contains(top) ? part.name() : OWN;
        }
        return name.startsWith(module + ".") ? name.substring(module.length() + 1) : "";
    }

    @Override
    public String toString() {
        return module;
    }
}
