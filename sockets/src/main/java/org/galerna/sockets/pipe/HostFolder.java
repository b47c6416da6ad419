package org.galerna.sockets.pipe;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.HexFormat;
import java.util.concurrent.TimeUnit;
import org.galerna.nativeaccess.file.PosixFiles;
import org.galerna.nativeaccess.file.SystemCallException;
import org.galerna.sockets.platform.PlatformChannels;
import org.galerna.sockets.settings.Settings;

/**
 * Where the processes of one user on one host find each other: a folder that nobody else can enter, in memory. For each
 * port that somebody listens at there is a UNIX-domain socket in it, named by the network name space, the address and the
 * port, because the same address and port mean something else in another name space.
 */
public final class HostFolder {
    private static final String LOCK = "lock";
    private static final String PIPE = "pipe-";

    /** An offer that has not been taken up for so long will not be. */
    private static final long STALE_NANOS = TimeUnit.MINUTES.toNanos(1);

    private static final int LOCK_TRIALS = 1000;

    private final PosixFiles files;
    private final Path path;
    private final int descriptor;
    private final String nameSpace;

    private HostFolder(PosixFiles files, Path path, int descriptor, String nameSpace) {
        this.files = files;
        this.path = path;
        this.descriptor = descriptor;
        this.nameSpace = nameSpace;
    }

    /**
     * Opens the folder, and makes it if it is not there; removes what dead processes have left.
     *
     * @throws IOException if it cannot be made, or somebody else could get at what is in it
     */
    public static HostFolder open(Path base) throws IOException {
        PosixFiles files = PosixFiles.instance()
                .orElseThrow(() -> new IOException(PosixFiles.unavailable().orElseThrow()));
        if (!Files.isDirectory(base)) {
            throw new IOException("there is no folder " + base + " for memory that processes share: name one with -D"
                    + Settings.FOLDER + "=<folder>");
        }
        Path real = base.toRealPath();
        String name = "galerna-sockets-" + Integer.toUnsignedString(files.user());
        Path path = real.resolve(name);
        int parent = files.openFolder(real.toString());
        try {
            make(files, parent, name);
            int descriptor = files.openFolder(parent, name);
            PosixFiles.Status status = files.status(descriptor);
            if (status.user() != files.user() || (status.permissions() & 0077) != 0) {
                files.close(descriptor);
                throw new IOException(path + " must belong to user " + Integer.toUnsignedString(files.user())
                        + " and be closed to all others: remove it, or name another folder with -D" + Settings.FOLDER
                        + "=<folder>");
            }
            String nameSpace =
                    Files.readSymbolicLink(Path.of("/proc/self/ns/net")).toString();
            HostFolder folder = new HostFolder(files, path, descriptor, nameSpace.replaceAll("\\D", ""));
            folder.sweep();
            return folder;
        } finally {
            files.close(parent);
        }
    }

    private static void make(PosixFiles files, int parent, String name) throws IOException {
        try {
            files.makeFolder(parent, name);
        } catch (SystemCallException failed) {
            if (failed.errno() != SystemCallException.EEXIST) {
                throw failed;
            }
        }
    }

    public PosixFiles files() {
        return files;
    }

    public int descriptor() {
        return descriptor;
    }

    public Path path() {
        return path;
    }

    /** The name for what is offered; the two numbers are random. */
    public static String pipeName(long high, long low) {
        return PIPE + HexFormat.of().toHexDigits(high) + HexFormat.of().toHexDigits(low);
    }

    /** The socket of the process that listens at an address. */
    public Path listener(InetAddress address, int port) {
        String where = address.isAnyLocalAddress() ? "any" : HexFormat.of().formatHex(address.getAddress());
        return path.resolve(nameSpace + "-" + where + "-" + port);
    }

    /** The socket of the process that accepts connections to an address, if one is there: at that address, or at all of the host. */
    public Path listenerFor(InetSocketAddress destination) {
        Path exact = listener(destination.getAddress(), destination.getPort());
        return exact.toFile().exists() ? exact : path.resolve(nameSpace + "-any-" + destination.getPort());
    }

    /** Something that is done while nobody else makes or removes sockets here. */
    @FunctionalInterface
    public interface Work {
        void run() throws IOException;
    }

    /**
     * Does something while nobody else makes or removes sockets here.
     *
     * @throws IOException that the work throws, or if others keep the lock
     */
    public void locked(Work work) throws IOException {
        int lock = files.openOrCreate(descriptor, LOCK);
        try {
            for (int trial = 0; !files.tryLock(lock, 0); trial++) {
                if (trial == LOCK_TRIALS) {
                    throw new IOException("other processes keep " + path.resolve(LOCK) + " locked");
                }
                Thread.onSpinWait();
                java.util.concurrent.locks.LockSupport.parkNanos(1_000_000);
            }
            work.run();
        } finally {
            files.close(lock); // which gives the lock back
        }
    }

    /** Whether the process that has made a socket still listens at it. */
    public static boolean isAlive(Path socket) {
        try (SocketChannel channel = PlatformChannels.provider().openSocketChannel(StandardProtocolFamily.UNIX)) {
            channel.configureBlocking(false);
            channel.connect(UnixDomainSocketAddress.of(socket)); // or the queue is full: somebody is there
            return true;
        } catch (IOException refused) {
            return false;
        }
    }

    private void sweep() throws IOException {
        locked(() -> {
            String[] names = path.toFile().list();
            long now = System.currentTimeMillis();
            for (String name : names == null ? new String[0] : names) {
                if (name.equals(LOCK)) {
                    continue;
                }
                Path file = path.resolve(name);
                boolean dead = name.startsWith(PIPE) ? isOld(file, now) : !isAlive(file);
                if (dead) {
                    files.remove(descriptor, name);
                }
            }
        });
    }

    private static boolean isOld(Path file, long now) {
        try {
            FileTime made = Files.getLastModifiedTime(file);
            return now - made.toMillis() > TimeUnit.NANOSECONDS.toMillis(STALE_NANOS);
        } catch (IOException goneMeanwhile) {
            return false;
        }
    }
}
