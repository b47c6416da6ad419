package org.galerna.nativeaccess.ucx;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import org.galerna.nativeaccess.NativeLibrary;
import org.jspecify.annotations.Nullable;

/** The library {@code libucp.so.0}. Loaded when it is asked for; safe for use by many threads. */
public final class UcxLibrary {
    /** File name of the library. */
    public static final String LIBRARY = "libucp.so.0";

    /** System property: the library, if it is none of the system's; a path. Read once. */
    public static final String PROPERTY = "galerna.ucx.library";

    /** Oldest version that is used: what is called here has been there, and the same, since. */
    static final int MAJOR = 1;

    static final int MINOR = 13;

    private static @Nullable UcxLibrary instance; // guarded by the class, as the next one
    private static @Nullable String obstacle;

    final UcxFunction initialize;
    final UcxFunction cleanup;
    final UcxFunction readConfiguration;
    final UcxFunction modifyConfiguration;
    final UcxFunction releaseConfiguration;
    final UcxFunction createWorker;
    final UcxFunction destroyWorker;
    final UcxFunction progress;
    final UcxFunction arm;
    final UcxFunction eventDescriptor;
    final UcxFunction getAddress;
    final UcxFunction releaseAddress;
    final UcxFunction createEndpoint;
    final UcxFunction closeEndpoint;
    final UcxFunction send;
    final UcxFunction receive;
    final UcxFunction probe;
    final UcxFunction receiveMessage;
    final UcxFunction checkStatus;
    final UcxFunction checkReceive;
    final UcxFunction setMessageHandler;
    final UcxFunction sendMessage;
    final UcxFunction releaseMessage;
    final UcxFunction map;
    final UcxFunction unmap;
    final UcxFunction packKey;
    final UcxFunction releasePackedKey;
    final UcxFunction unpackKey;
    final UcxFunction destroyKey;
    final UcxFunction get;
    final UcxFunction put;
    final UcxFunction flushEndpoint;
    final UcxFunction flushWorker;
    final UcxFunction cancel;
    final UcxFunction free;
    final UcxFunction printContext;
    private final UcxFunction describe;
    private final String version;

    private UcxLibrary(SymbolLookup library) {
        this.version = version(library);
        this.initialize = UcxFunction.of(library, "ucp_init_version");
        this.cleanup = UcxFunction.of(library, "ucp_cleanup");
        this.readConfiguration = UcxFunction.of(library, "ucp_config_read");
        this.modifyConfiguration = UcxFunction.of(library, "ucp_config_modify");
        this.releaseConfiguration = UcxFunction.of(library, "ucp_config_release");
        this.createWorker = UcxFunction.of(library, "ucp_worker_create");
        this.destroyWorker = UcxFunction.of(library, "ucp_worker_destroy");
        this.progress = UcxFunction.of(library, "ucp_worker_progress");
        this.arm = UcxFunction.of(library, "ucp_worker_arm");
        this.eventDescriptor = UcxFunction.of(library, "ucp_worker_get_efd");
        this.getAddress = UcxFunction.of(library, "ucp_worker_get_address");
        this.releaseAddress = UcxFunction.of(library, "ucp_worker_release_address");
        this.createEndpoint = UcxFunction.of(library, "ucp_ep_create");
        this.closeEndpoint = UcxFunction.of(library, "ucp_ep_close_nbx");
        this.send = UcxFunction.of(library, "ucp_tag_send_nbx");
        this.receive = UcxFunction.of(library, "ucp_tag_recv_nbx");
        this.probe = UcxFunction.of(library, "ucp_tag_probe_nb");
        this.receiveMessage = UcxFunction.of(library, "ucp_tag_msg_recv_nbx");
        this.checkStatus = UcxFunction.of(library, "ucp_request_check_status");
        this.checkReceive = UcxFunction.of(library, "ucp_tag_recv_request_test");
        this.setMessageHandler = UcxFunction.of(library, "ucp_worker_set_am_recv_handler");
        this.sendMessage = UcxFunction.of(library, "ucp_am_send_nbx");
        this.releaseMessage = UcxFunction.of(library, "ucp_am_data_release");
        this.map = UcxFunction.of(library, "ucp_mem_map");
        this.unmap = UcxFunction.of(library, "ucp_mem_unmap");
        this.packKey = UcxFunction.of(library, "ucp_rkey_pack");
        this.releasePackedKey = UcxFunction.of(library, "ucp_rkey_buffer_release");
        this.unpackKey = UcxFunction.of(library, "ucp_ep_rkey_unpack");
        this.destroyKey = UcxFunction.of(library, "ucp_rkey_destroy");
        this.get = UcxFunction.of(library, "ucp_get_nbx");
        this.put = UcxFunction.of(library, "ucp_put_nbx");
        this.flushEndpoint = UcxFunction.of(library, "ucp_ep_flush_nbx");
        this.flushWorker = UcxFunction.of(library, "ucp_worker_flush_nbx");
        this.cancel = UcxFunction.of(library, "ucp_request_cancel");
        this.free = UcxFunction.of(library, "ucp_request_free");
        this.printContext = UcxFunction.of(library, "ucp_context_print_info");
        // part of libucs, which libucp has loaded
        this.describe = UcxFunction.of(library, "ucs_status_string");
    }

    private static String version(SymbolLookup library) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment numbers = arena.allocate(JAVA_INT, 3);
            UcxFunction.of(library, "ucp_get_version")
                    .call(
                            numbers.address(),
                            numbers.address() + JAVA_INT.byteSize(),
                            numbers.address() + 2L * JAVA_INT.byteSize());
            int major = numbers.getAtIndex(JAVA_INT, 0);
            int minor = numbers.getAtIndex(JAVA_INT, 1);
            String found = major + "." + minor + "." + numbers.getAtIndex(JAVA_INT, 2);
            if (major != MAJOR || minor < MINOR) {
                throw new NoSuchElementException("it has version " + found);
            }
            return found;
        }
    }

    /**
     * The library.
     *
     * @throws UnsatisfiedLinkError if it cannot be loaded; the message says why
     */
    public static synchronized UcxLibrary open() {
        UcxLibrary loaded = instance;
        if (loaded != null) {
            return loaded;
        }
        if (obstacle == null) {
            String name = System.getProperty(PROPERTY, LIBRARY);
            try {
                loaded = new UcxLibrary(NativeLibrary.open(List.of(name)));
                instance = loaded;
                return loaded;
            } catch (UnsatisfiedLinkError missing) {
                obstacle = name + " cannot be loaded (" + missing.getMessage()
                        + "); Debian and Ubuntu have it in the package libucx0, Red Hat in ucx";
            } catch (NoSuchElementException unfit) {
                obstacle = name + " does not fit: " + unfit.getMessage() + "; UCX " + MAJOR + "." + MINOR
                        + " or a later " + MAJOR + ".x is needed";
            }
        }
        throw new UnsatisfiedLinkError(obstacle);
    }

    /** Why the library cannot be used, in one sentence; empty if it can. */
    public static Optional<String> unavailable() {
        if (!System.getProperty("os.name", "").startsWith("Linux") || ADDRESS.byteSize() != Long.BYTES) {
            return Optional.of("UCX is used on 64-bit Linux only");
        }
        if (!UcxLibrary.class.getModule().isNativeAccessEnabled()) {
            return Optional.of("native access is not granted; start Java with --enable-native-access=ALL-UNNAMED");
        }
        try {
            open();
            return Optional.empty();
        } catch (UnsatisfiedLinkError missing) {
            return Optional.of(String.valueOf(missing.getMessage()));
        }
    }

    /** Version of the library, such as {@code 1.13.1}. */
    public String version() {
        return version;
    }

    /** UCX's words for a status. */
    @SuppressWarnings("restricted") // the text is the library's own
    public String describe(int status) {
        return MemorySegment.ofAddress(describe.call(status))
                .reinterpret(Long.MAX_VALUE)
                .getString(0);
    }

    /** Fails if the status of a call is an error. */
    void check(String call, long status) throws UcxException {
        if ((byte) status < UcxLayout.OK) {
            throw new UcxException(call, describe((byte) status));
        }
    }
}
