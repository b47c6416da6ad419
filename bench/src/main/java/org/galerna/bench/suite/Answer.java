package org.galerna.bench.suite;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** What rank 0 of a {@link Contender} answers to a {@link Command}: a line. */
public sealed interface Answer {
    /** Numbers, of which most commands give one: nanoseconds on the slowest rank. */
    record Values(List<Double> values) implements Answer {
        /** Copies the list. */
        public Values {
            values = List.copyOf(values);
        }

        @Override
        public String toLine() {
            StringBuilder line = new StringBuilder(OK);
            for (double value : values) {
                line.append(' ');
                if (value == Math.rint(value) && Math.abs(value) < 1e15) {
                    line.append((long) value);
                } else {
                    line.append(value);
                }
            }
            return line.toString();
        }
    }

    /** The system has no such benchmark, or not for this size or these ranks. */
    record Refused(String reason) implements Answer {
        @Override
        public String toLine() {
            return NO + ' ' + reason.replace('\n', ' ');
        }
    }

    /** First word of {@link Values}. */
    String OK = "ok";

    /** First word of {@link Refused}. */
    String NO = "no";

    /** The answer as a line without its end. */
    String toLine();

    /** Numbers. */
    static Answer of(double... values) {
        return new Values(Arrays.stream(values).boxed().toList());
    }

    /** Whole numbers, such as nanoseconds. */
    static Answer of(long... values) {
        return new Values(
                Arrays.stream(values).mapToObj(value -> (double) value).toList());
    }

    /** The refusal that a system gives to commands it does not know. */
    static Answer unknown(Command command) {
        return new Refused("there is no benchmark \"" + command.benchmark() + "\" here");
    }

    /**
     * The reverse of {@link #toLine}.
     *
     * @throws IllegalArgumentException if the line is no answer
     */
    static Answer parse(String line) {
        String[] words = line.split(" ", -1);
        if (words[0].equals(NO)) {
            return new Refused(line.substring(NO.length()).strip());
        }
        if (!words[0].equals(OK) || words.length < 2) {
            throw new IllegalArgumentException("not an answer of a benchmark: \"" + line + "\"");
        }
        List<Double> values = new ArrayList<>();
        try {
            for (int word = 1; word < words.length; word++) {
                values.add(Double.valueOf(words[word]));
            }
        } catch (NumberFormatException notANumber) {
            throw new IllegalArgumentException("not an answer of a benchmark: \"" + line + "\"", notANumber);
        }
        return new Values(values);
    }
}
