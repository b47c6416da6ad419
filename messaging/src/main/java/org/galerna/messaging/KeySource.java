package org.galerna.messaging;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.galerna.link.settings.SecretFile;

/**
 * Where a node gets the keys of its cluster from. It is asked at each call of or by another node, on any thread, so that keys
 * change without a stop. Nobody gets a connection while it answers, so it must be fast. Connections that are open are not touched.
 *
 * <p>A node that is called proves the first key; a node that calls accepts any of its keys and answers with the same. To
 * change the key of a cluster, add the new one as the second key of every node, then make it the first of every node, then
 * remove the old one.
 */
@FunctionalInterface
public interface KeySource {
    /**
     * The keys that are valid now: one at least, each of 16 bytes at least.
     *
     * @throws IOException if they cannot be read; then, and whatever else it throws, those of before stay valid, and the log
     *     says so. A node does not start without keys
     */
    List<byte[]> keys() throws IOException;

    /**
     * Keys in a file: each line that is not empty is a key, the first line the first one. The file is read again at each call,
     * and must not be readable by other users than its owner and its group.
     */
    static KeySource file(Path file) {
        return () -> SecretFile.lines(file, "the keys").stream()
                .map(String::strip)
                .filter(line -> !line.isEmpty())
                .map(line -> line.getBytes(StandardCharsets.UTF_8))
                .toList();
    }
}
