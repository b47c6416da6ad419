package org.galerna.link.shm.file;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import org.galerna.link.wireup.Host;
import org.galerna.nativeaccess.file.PosixFiles;

/**
 * Where a rank is, as it tells the others: two ranks share memory if and only if they see the same folder of the job. The
 * system's identity tells machines apart; the folder's file system and number tell containers apart that have one of their own.
 *
 * @param machine identity of the running system
 * @param device file system of the job's folder
 * @param inode number of the job's folder there
 */
public record HostAddress(String machine, long device, long inode) {
    private static final String VERSION = "shm1";

    public static HostAddress of(JobFolder folder) throws IOException {
        PosixFiles.Status status = folder.files().status(folder.descriptor());
        return new HostAddress(Host.here().machine(), status.device(), status.inode());
    }

    public byte[] bytes() {
        return String.join(" ", VERSION, machine, Long.toHexString(device), Long.toHexString(inode))
                .getBytes(StandardCharsets.US_ASCII);
    }

    /** Whether a peer that has published this is reached from here. */
    public boolean isSeenBy(byte[] published) {
        return Arrays.equals(published, bytes());
    }

    /** Why a peer that has published this cannot be reached from here; empty if it can. */
    public Optional<String> unreachable(int peer, byte[] published) {
        String[] words = new String(published, StandardCharsets.US_ASCII).split(" ", -1);
        if (words.length != 4 || !words[0].equals(VERSION)) {
            return Optional.of("rank " + peer + " runs another version of Galerna");
        }
        if (!words[1].equals(machine)) {
            return Optional.of("rank " + peer + " runs on another host");
        }
        return words[2].equals(Long.toHexString(device)) && words[3].equals(Long.toHexString(inode))
                ? Optional.empty()
                : Optional.of(
                        "rank " + peer + " runs on this host, but in a container or as a user whose shared memory "
                                + "is not this rank's");
    }
}
