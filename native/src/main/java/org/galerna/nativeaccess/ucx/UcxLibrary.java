package org.galerna.nativeaccess.ucx;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.util.NoSuchElementException;
import java.util.Optional;
import org.galerna.nativeaccess.library.LibraryFunction;
import org.galerna.nativeaccess.library.OptionalLibrary;

/** The library {@code libucp.so.0}. Loaded when it is asked for; safe for use by many threads. */
public final class UcxLibrary {
    /** File name of the library. */
    public static final String LIBRARY = "libucp.so.0";

    /** System property: the library, if it is none of the system's; a path. Read once. */
    public static final String PROPERTY = "galerna.ucx.library";

    /** Oldest version that is used: what is called here has been there, and the same, since. */
    static final int MAJOR = 1;

    static final int MINOR = 13;

    private static final OptionalLibrary<UcxLibrary> SHARED = new OptionalLibrary<>(
            LIBRARY,
            PROPERTY,
            "package libucx0, Red Hat in ucx",
            "UCX " + MAJOR + "." + MINOR + " or a later " + MAJOR + ".x",
            UcxLibrary::new);

    final LibraryFunction initialize;
    final LibraryFunction cleanup;
    final LibraryFunction readConfiguration;
    final LibraryFunction modifyConfiguration;
    final LibraryFunction releaseConfiguration;
    final LibraryFunction queryContext;
    final LibraryFunction createWorker;
    final LibraryFunction destroyWorker;
    final LibraryFunction progress;
    final LibraryFunction arm;
    final LibraryFunction eventDescriptor;
    final LibraryFunction getAddress;
    final LibraryFunction releaseAddress;
    final LibraryFunction createEndpoint;
    final LibraryFunction closeEndpoint;
    final LibraryFunction send;
    final LibraryFunction receive;
    final LibraryFunction probe;
    final LibraryFunction receiveMessage;
    final LibraryFunction checkStatus;
    final LibraryFunction setMessageHandler;
    final LibraryFunction sendMessage;
    final LibraryFunction releaseMessage;
    final LibraryFunction map;
    final LibraryFunction unmap;
    final LibraryFunction packKey;
    final LibraryFunction releasePackedKey;
    final LibraryFunction unpackKey;
    final LibraryFunction destroyKey;
    final LibraryFunction get;
    final LibraryFunction put;
    final LibraryFunction flushEndpoint;
    final LibraryFunction flushWorker;
    final LibraryFunction cancel;
    final LibraryFunction free;
    final LibraryFunction printContext;
    private final LibraryFunction describe;
    private final String version;

    private UcxLibrary(SymbolLookup library) {
        this.version = version(library);
        this.initialize = LibraryFunction.of(library, "ucp_init_version");
        this.cleanup = LibraryFunction.of(library, "ucp_cleanup");
        this.readConfiguration = LibraryFunction.of(library, "ucp_config_read");
        this.modifyConfiguration = LibraryFunction.of(library, "ucp_config_modify");
        this.releaseConfiguration = LibraryFunction.of(library, "ucp_config_release");
        this.queryContext = LibraryFunction.of(library, "ucp_context_query");
        this.createWorker = LibraryFunction.of(library, "ucp_worker_create");
        this.destroyWorker = LibraryFunction.of(library, "ucp_worker_destroy");
        this.progress = LibraryFunction.of(library, "ucp_worker_progress");
        this.arm = LibraryFunction.of(library, "ucp_worker_arm");
        this.eventDescriptor = LibraryFunction.of(library, "ucp_worker_get_efd");
        this.getAddress = LibraryFunction.of(library, "ucp_worker_get_address");
        this.releaseAddress = LibraryFunction.of(library, "ucp_worker_release_address");
        this.createEndpoint = LibraryFunction.of(library, "ucp_ep_create");
        this.closeEndpoint = LibraryFunction.of(library, "ucp_ep_close_nbx");
        this.send = LibraryFunction.of(library, "ucp_tag_send_nbx");
        this.receive = LibraryFunction.of(library, "ucp_tag_recv_nbx");
        this.probe = LibraryFunction.of(library, "ucp_tag_probe_nb");
        this.receiveMessage = LibraryFunction.of(library, "ucp_tag_msg_recv_nbx");
        this.checkStatus = LibraryFunction.of(library, "ucp_request_check_status");
        this.setMessageHandler = LibraryFunction.of(library, "ucp_worker_set_am_recv_handler");
        this.sendMessage = LibraryFunction.of(library, "ucp_am_send_nbx");
        this.releaseMessage = LibraryFunction.of(library, "ucp_am_data_release");
        this.map = LibraryFunction.of(library, "ucp_mem_map");
        this.unmap = LibraryFunction.of(library, "ucp_mem_unmap");
        this.packKey = LibraryFunction.of(library, "ucp_rkey_pack");
        this.releasePackedKey = LibraryFunction.of(library, "ucp_rkey_buffer_release");
        this.unpackKey = LibraryFunction.of(library, "ucp_ep_rkey_unpack");
        this.destroyKey = LibraryFunction.of(library, "ucp_rkey_destroy");
        this.get = LibraryFunction.of(library, "ucp_get_nbx");
        this.put = LibraryFunction.of(library, "ucp_put_nbx");
        this.flushEndpoint = LibraryFunction.of(library, "ucp_ep_flush_nbx");
        this.flushWorker = LibraryFunction.of(library, "ucp_worker_flush_nbx");
        this.cancel = LibraryFunction.of(library, "ucp_request_cancel");
        this.free = LibraryFunction.of(library, "ucp_request_free");
        this.printContext = LibraryFunction.of(library, "ucp_context_print_info");
        // part of libucs, which libucp has loaded
        this.describe = LibraryFunction.of(library, "ucs_status_string");
    }

    private static String version(SymbolLookup library) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment numbers = arena.allocate(JAVA_INT, 3);
            LibraryFunction.of(library, "ucp_get_version")
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
    public static UcxLibrary open() {
        return SHARED.open();
    }

    /** Why the library cannot be used, in one sentence; empty if it can. */
    public static Optional<String> unavailable() {
        return SHARED.unavailable("UCX is");
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
            throw new UcxException(call, describe((byte) status), (byte) status);
        }
    }
}
