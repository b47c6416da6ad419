package org.galerna.nativeaccess.verbs;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.galerna.nativeaccess.library.OptionalLibrary;

/** The library {@code libibverbs.so.1}. Loaded when it is asked for; safe for use by many threads. */
public final class VerbsLibrary {
    /** File name of the library. */
    public static final String LIBRARY = "libibverbs.so.1";

    /** System property: the library, if it is none of the system's; a path. Read once. */
    public static final String PROPERTY = "galerna.verbs.library";

    private static final OptionalLibrary<VerbsLibrary> SHARED = new OptionalLibrary<>(
            LIBRARY,
            PROPERTY,
            "packages libibverbs1 and ibverbs-providers, Red Hat in libibverbs",
            "rdma-core 32 or later",
            VerbsLibrary::new);

    final NativeFunction getDevices;
    final NativeFunction freeDevices;
    final NativeFunction deviceName;
    final NativeFunction openDevice;
    final NativeFunction closeDevice;
    final NativeFunction queryDevice;
    final NativeFunction queryPort;
    final NativeFunction queryGid;
    final NativeFunction allocateDomain;
    final NativeFunction freeDomain;
    final NativeFunction registerMemory;
    final NativeFunction deregisterMemory;
    final NativeFunction createChannel;
    final NativeFunction destroyChannel;
    final NativeFunction createCompletionQueue;
    final NativeFunction destroyCompletionQueue;
    final MemorySegment getCompletionEvent; // called through Operations, as the next one
    final MemorySegment acknowledgeCompletionEvents;
    final NativeFunction createSharedReceiveQueue;
    final NativeFunction destroySharedReceiveQueue;
    final NativeFunction createQueuePair;
    final NativeFunction modifyQueuePair;
    final NativeFunction destroyQueuePair;
    final NativeFunction getAsyncEvent;
    final NativeFunction acknowledgeAsyncEvent;
    private final NativeFunction statusName;
    private final NativeFunction eventName;

    private VerbsLibrary(SymbolLookup library) {
        this.getDevices = new NativeFunction(library, "ibv_get_device_list", ADDRESS, ADDRESS);
        this.freeDevices = new NativeFunction(library, "ibv_free_device_list", JAVA_INT, ADDRESS);
        this.deviceName = new NativeFunction(library, "ibv_get_device_name", ADDRESS, ADDRESS);
        this.openDevice = new NativeFunction(library, "ibv_open_device", ADDRESS, ADDRESS);
        this.closeDevice = new NativeFunction(library, "ibv_close_device", JAVA_INT, ADDRESS);
        this.queryDevice = new NativeFunction(library, "ibv_query_device", JAVA_INT, ADDRESS, ADDRESS);
        this.queryPort = new NativeFunction(library, "ibv_query_port", JAVA_INT, ADDRESS, JAVA_BYTE, ADDRESS);
        this.queryGid = new NativeFunction(
                library, "_ibv_query_gid_ex", JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT, JAVA_LONG);
        this.allocateDomain = new NativeFunction(library, "ibv_alloc_pd", ADDRESS, ADDRESS);
        this.freeDomain = new NativeFunction(library, "ibv_dealloc_pd", JAVA_INT, ADDRESS);
        this.registerMemory = new NativeFunction(library, "ibv_reg_mr", ADDRESS, ADDRESS, ADDRESS, JAVA_LONG, JAVA_INT);
        this.deregisterMemory = new NativeFunction(library, "ibv_dereg_mr", JAVA_INT, ADDRESS);
        this.createChannel = new NativeFunction(library, "ibv_create_comp_channel", ADDRESS, ADDRESS);
        this.destroyChannel = new NativeFunction(library, "ibv_destroy_comp_channel", JAVA_INT, ADDRESS);
        this.createCompletionQueue =
                new NativeFunction(library, "ibv_create_cq", ADDRESS, ADDRESS, JAVA_INT, ADDRESS, ADDRESS, JAVA_INT);
        this.destroyCompletionQueue = new NativeFunction(library, "ibv_destroy_cq", JAVA_INT, ADDRESS);
        this.getCompletionEvent = library.findOrThrow("ibv_get_cq_event");
        this.acknowledgeCompletionEvents = library.findOrThrow("ibv_ack_cq_events");
        this.createSharedReceiveQueue = new NativeFunction(library, "ibv_create_srq", ADDRESS, ADDRESS, ADDRESS);
        this.destroySharedReceiveQueue = new NativeFunction(library, "ibv_destroy_srq", JAVA_INT, ADDRESS);
        this.createQueuePair = new NativeFunction(library, "ibv_create_qp", ADDRESS, ADDRESS, ADDRESS);
        this.modifyQueuePair = new NativeFunction(library, "ibv_modify_qp", JAVA_INT, ADDRESS, ADDRESS, JAVA_INT);
        this.destroyQueuePair = new NativeFunction(library, "ibv_destroy_qp", JAVA_INT, ADDRESS);
        this.getAsyncEvent = new NativeFunction(library, "ibv_get_async_event", JAVA_INT, ADDRESS, ADDRESS);
        this.acknowledgeAsyncEvent = new NativeFunction(library, "ibv_ack_async_event", JAVA_INT, ADDRESS);
        this.statusName = new NativeFunction(library, "ibv_wc_status_str", ADDRESS, JAVA_INT);
        this.eventName = new NativeFunction(library, "ibv_event_type_str", ADDRESS, JAVA_INT);
    }

    /**
     * The library.
     *
     * @throws UnsatisfiedLinkError if it cannot be loaded; the message says why
     */
    public static VerbsLibrary open() {
        return SHARED.open();
    }

    /** Why the library cannot be used, in one sentence; empty if it can. */
    public static Optional<String> unavailable() {
        return SHARED.unavailable("verbs are");
    }

    /** The names of the adapters, in the order of the library; empty if there is none. */
    public List<String> adapters() throws VerbsException {
        try (Arena arena = Arena.ofConfined();
                DeviceList devices = new DeviceList(arena)) {
            List<String> names = new ArrayList<>();
            for (int index = 0; index < devices.size; index++) {
                names.add(devices.name(index));
            }
            return List.copyOf(names);
        }
    }

    /**
     * Opens an adapter.
     *
     * @throws VerbsException if there is none of that name, or it cannot be opened
     */
    public Adapter adapter(String name) throws VerbsException {
        try (Arena arena = Arena.ofConfined();
                DeviceList devices = new DeviceList(arena)) {
            for (int index = 0; index < devices.size; index++) {
                if (devices.name(index).equals(name)) {
                    MemorySegment device = devices.device(index);
                    boolean iwarp = device.get(JAVA_INT, VerbsLayout.DEVICE_TRANSPORT) == VerbsLayout.TRANSPORT_IWARP;
                    return new Adapter(this, name, iwarp, openDevice.pointer(name, device));
                }
            }
        }
        throw new VerbsException(
                "looking for an adapter named " + name + " among " + adapters(), VerbsException.ENODEV);
    }

    /** Name of the adapter that a context of this or another library belongs to. */
    String adapterOf(MemorySegment context) {
        MemorySegment device =
                NativeFunction.sized(context, VerbsLayout.CONTEXT_BYTES).get(ADDRESS, VerbsLayout.CONTEXT_DEVICE);
        return NativeFunction.string(deviceName.pointerOrNull(device));
    }

    /** The library's list, which also keeps the devices alive. */
    private final class DeviceList implements AutoCloseable {
        private final MemorySegment list;
        private final int size;

        DeviceList(Arena arena) throws VerbsException {
            MemorySegment count = arena.allocate(JAVA_INT);
            MemorySegment devices = find(count);
            this.size = count.get(JAVA_INT, 0);
            this.list = NativeFunction.sized(devices, (size + 1) * ADDRESS.byteSize());
        }

        private MemorySegment find(MemorySegment count) throws VerbsException {
            try {
                return getDevices.pointer("looking for adapters", count);
            } catch (VerbsException failed) {
                if (failed.errno() == VerbsException.ENOSYS) { // the kernel module ib_uverbs is not there: no adapter
                    return MemorySegment.NULL;
                }
                throw failed;
            }
        }

        MemorySegment device(int index) {
            return NativeFunction.sized(list.getAtIndex(ADDRESS, index), VerbsLayout.DEVICE_BYTES);
        }

        String name(int index) {
            return NativeFunction.string(deviceName.pointerOrNull(device(index)));
        }

        @Override
        public void close() {
            if (list.address() != 0) {
                freeDevices.ignoringFailure(list);
            }
        }
    }

    /** The library's words for the status of a work completion. */
    public String describeStatus(int status) {
        return NativeFunction.string(statusName.pointerOrNull(status));
    }

    /** The library's words for an asynchronous event. */
    public String describeEvent(int type) {
        return NativeFunction.string(eventName.pointerOrNull(type));
    }
}
