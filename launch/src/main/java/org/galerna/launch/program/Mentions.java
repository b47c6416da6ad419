package org.galerna.launch.program;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Tells the class files that may have something to change from the many that have not, by the names in their constant
 * pools, so that only the former are taken apart.
 */
final class Mentions {
    private static final int FIRST_CONSTANT = 10;
    private static final int UTF8 = 1;

    /** The names that matter, by their length. */
    private final byte[][][] byLength;

    /** For each name, in the order of {@link #byLength}: the names that have to be there too; empty if it suffices. */
    private final Map<String, Set<String>> companions = new HashMap<>();

    /**
     * A filter.
     *
     * @param changes each of which needs both its owner and its name, unless that is of all classes
     * @param sufficient names each of which suffices
     */
    Mentions(Collection<? extends Change> changes, Collection<String> sufficient) {
        for (Change change : changes) {
            String owner = change.internalOwner();
            boolean everywhere = change.name().equals("<init>");
            companions.computeIfAbsent(owner, any -> new HashSet<>()).add(everywhere ? owner : change.name());
        }
        for (String name : sufficient) {
            companions.put(name, Set.of(name));
        }
        Set<String> all = new HashSet<>(companions.keySet());
        for (Set<String> names : companions.values()) {
            all.addAll(names);
        }
        int longest = 0;
        for (String name : all) {
            longest = Math.max(longest, name.length());
        }
        byLength = new byte[longest + 1][][];
        Arrays.fill(byLength, new byte[0][]);
        for (String name : all) {
            byte[][] before = byLength[name.length()];
            byte[][] more = Arrays.copyOf(before, before.length + 1);
            more[before.length] = name.getBytes(StandardCharsets.US_ASCII);
            byLength[name.length()] = more;
        }
    }

    /** Whether the class file may have something to change; false for what is no class file. */
    boolean in(byte[] file) {
        Set<String> found = new HashSet<>();
        if (!collect(file, found)) {
            return false;
        }
        for (String name : found) {
            Set<String> needed = companions.get(name);
            if (needed != null && !Collections.disjoint(needed, found)) {
                return true;
            }
        }
        return false;
    }

    /** Walks over the constant pool (JVMS 4.4). */
    private boolean collect(byte[] file, Set<String> found) {
        if (file.length < FIRST_CONSTANT) {
            return false;
        }
        int count = u2(file, FIRST_CONSTANT - 2);
        int position = FIRST_CONSTANT;
        for (int index = 1; index < count; index++) {
            if (position + 3 > file.length) {
                return false;
            }
            switch (file[position]) {
                case UTF8 -> {
                    int length = u2(file, position + 1);
                    int start = position + 3;
                    position = start + length;
                    if (position > file.length) {
                        return false;
                    }
                    note(file, start, length, found);
                }
                // int, float, the references to members, names with types, the two dynamic ones
                case 3, 4, 9, 10, 11, 12, 17, 18 -> position += 5;
                case 5, 6 -> {
                    position += 9;
                    index++;
                }
                // class, string, type of a method, module, package
                case 7, 8, 16, 19, 20 -> position += 3;
                case 15 -> position += 4;
                default -> {
                    return false;
                }
            }
        }
        return true;
    }

    private void note(byte[] file, int start, int length, Set<String> found) {
        if (length >= byLength.length) {
            return;
        }
        for (byte[] name : byLength[length]) {
            if (Arrays.equals(file, start, start + length, name, 0, length)) {
                found.add(new String(name, StandardCharsets.US_ASCII));
                return;
            }
        }
    }

    private static int u2(byte[] file, int position) {
        return ((file[position] & 0xff) << 8) | (file[position + 1] & 0xff);
    }
}
