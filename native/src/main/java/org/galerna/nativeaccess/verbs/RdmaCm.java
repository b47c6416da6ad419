package org.galerna.nativeaccess.verbs;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.util.Optional;
import org.galerna.nativeaccess.call.ByteOrders;
import org.galerna.nativeaccess.library.OptionalLibrary;

/**
 * The library {@code librdmacm.so.1}: connections between queue pairs by IP addresses, over InfiniBand, RoCE and iWARP
 * alike. Loaded when it is asked for; safe for use by many threads.
 */
public final class RdmaCm {
    /** File name of the library. */
    public static final String LIBRARY = "librdmacm.so.1";

    /** System property: the library, if it is none of the system's; a path. Read once. */
    public static final String PROPERTY = "galerna.verbs.cm.library";

    private static final OptionalLibrary<RdmaCm> SHARED = new OptionalLibrary<>(
            LIBRARY, PROPERTY, "package librdmacm1, Red Hat in librdmacm", "rdma-core 32 or later", RdmaCm::new);

    final NativeFunction createChannel;
    final NativeFunction destroyChannel;
    final NativeFunction getEvent;
    final NativeFunction acknowledgeEvent;
    final NativeFunction createId;
    final NativeFunction destroyId;
    final NativeFunction bind;
    final NativeFunction listen;
    final NativeFunction sourcePort;
    final NativeFunction resolveAddress;
    final NativeFunction resolveRoute;
    final NativeFunction connect;
    final NativeFunction accept;
    final NativeFunction reject;
    final NativeFunction establish;
    final NativeFunction disconnect;
    final NativeFunction initializeQueuePair;
    final NativeFunction setOption;
    private final NativeFunction eventName;

    private RdmaCm(SymbolLookup library) {
        this.createChannel = new NativeFunction(library, "rdma_create_event_channel", ADDRESS);
        this.destroyChannel = new NativeFunction(library, "rdma_destroy_event_channel", JAVA_INT, ADDRESS);
        this.getEvent = new NativeFunction(library, "rdma_get_cm_event", JAVA_INT, ADDRESS, ADDRESS);
        this.acknowledgeEvent = new NativeFunction(library, "rdma_ack_cm_event", JAVA_INT, ADDRESS);
        this.createId = new NativeFunction(library, "rdma_create_id", JAVA_INT, ADDRESS, ADDRESS, ADDRESS, JAVA_INT);
        this.destroyId = new NativeFunction(library, "rdma_destroy_id", JAVA_INT, ADDRESS);
        this.bind = new NativeFunction(library, "rdma_bind_addr", JAVA_INT, ADDRESS, ADDRESS);
        this.listen = new NativeFunction(library, "rdma_listen", JAVA_INT, ADDRESS, JAVA_INT);
        this.sourcePort = new NativeFunction(library, "rdma_get_src_port", JAVA_SHORT, ADDRESS);
        this.resolveAddress =
                new NativeFunction(library, "rdma_resolve_addr", JAVA_INT, ADDRESS, ADDRESS, ADDRESS, JAVA_INT);
        this.resolveRoute = new NativeFunction(library, "rdma_resolve_route", JAVA_INT, ADDRESS, JAVA_INT);
        this.connect = new NativeFunction(library, "rdma_connect", JAVA_INT, ADDRESS, ADDRESS);
        this.accept = new NativeFunction(library, "rdma_accept", JAVA_INT, ADDRESS, ADDRESS);
        this.reject = new NativeFunction(library, "rdma_reject", JAVA_INT, ADDRESS, ADDRESS, JAVA_BYTE);
        this.establish = new NativeFunction(library, "rdma_establish", JAVA_INT, ADDRESS);
        this.disconnect = new NativeFunction(library, "rdma_disconnect", JAVA_INT, ADDRESS);
        this.initializeQueuePair =
                new NativeFunction(library, "rdma_init_qp_attr", JAVA_INT, ADDRESS, ADDRESS, ADDRESS);
        this.setOption = new NativeFunction(
                library, "rdma_set_option", JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT, ADDRESS, JAVA_LONG);
        this.eventName = new NativeFunction(library, "rdma_event_str", ADDRESS, JAVA_INT);
    }

    /**
     * The library.
     *
     * @throws UnsatisfiedLinkError if it cannot be loaded; the message says why
     */
    public static RdmaCm open() {
        return SHARED.open();
    }

    /** Why it cannot be used, in one sentence; empty if it can. */
    public static Optional<String> unavailable() {
        Optional<String> reason = VerbsLibrary.unavailable();
        if (reason.isPresent()) {
            return reason;
        }
        try {
            open().newEvents().close();
            return Optional.empty();
        } catch (UnsatisfiedLinkError missing) {
            return Optional.of(String.valueOf(missing.getMessage()));
        } catch (VerbsException refused) {
            return Optional.of(refused.getMessage() + "; is the kernel module rdma_ucm loaded?");
        }
    }

    /** A channel on which the events of connections come in. */
    public ConnectionEvents newEvents() throws VerbsException {
        return new ConnectionEvents(this, createChannel.pointer("RDMA CM"));
    }

    String describeEvent(int type) {
        return NativeFunction.string(eventName.pointerOrNull(type));
    }

    /** Port of the local address, in the machine's order. */
    int portOf(MemorySegment id) {
        return ByteOrders.network(sourcePort.number(id)) & 0xffff;
    }
}
