package org.galerna.link.settings;

import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A system property: its name, what it may be, what it is unless it is set, and what it is for. The parser, the message about a
 * wrong value, help texts and the table of the user guide come from here.
 *
 * @param <T> of the value
 */
public final class Setting<T> {
    private final String name;
    private final String form;
    private final T otherwise;
    private final String meaning;
    private final Function<String, Optional<T>> parser;

    private Setting(String name, String form, T otherwise, String meaning, Function<String, Optional<T>> parser) {
        this.name = name;
        this.form = form;
        this.otherwise = otherwise;
        this.meaning = meaning;
        this.parser = parser;
    }

    /** A number with limits. */
    public static Setting<Integer> number(String name, int otherwise, int least, int most, String meaning) {
        return count(name, "a number", otherwise, least, most, meaning).to(Long::intValue);
    }

    /**
     * A large number with limits.
     *
     * @param what it counts, such as {@code a number of bytes}
     */
    public static Setting<Long> count(String name, String what, long otherwise, long least, long most, String meaning) {
        String form = what + " from " + least + (most == Long.MAX_VALUE ? "" : " to " + most);
        return new Setting<>(
                name, form, otherwise, meaning, text -> asLong(text).filter(value -> value >= least && value <= most));
    }

    /** A number with limits, which may have a fraction. */
    public static Setting<Double> fraction(
            String name, String what, double otherwise, double least, double most, String meaning) {
        String form = what + " from " + plain(least) + " to " + plain(most);
        return new Setting<>(
                name,
                form,
                otherwise,
                meaning,
                text -> asDouble(text).filter(value -> value >= least && value <= most));
    }

    /** A number that must fulfil something. */
    public Setting<T> where(String newForm, Function<T, Boolean> condition) {
        return new Setting<>(
                name, newForm, otherwise, meaning, text -> parser.apply(text).filter(condition::apply));
    }

    /** One of the names of an enum, in small letters. */
    public static <E extends Enum<E>> Setting<E> choice(String name, E otherwise, String meaning) {
        E[] all = otherwise.getDeclaringClass().getEnumConstants();
        String form = "one of " + Arrays.stream(all).map(Setting::word).collect(Collectors.joining(", "));
        return new Setting<>(
                name,
                form,
                otherwise,
                meaning,
                text -> Arrays.stream(all)
                        .filter(each -> word(each).equalsIgnoreCase(text))
                        .findFirst());
    }

    /** Any text; empty unless it is set to something. */
    public static Setting<Optional<String>> text(String name, String meaning) {
        return new Setting<>(
                name,
                "a text",
                Optional.empty(),
                meaning,
                text -> Optional.of(Optional.of(text).filter(given -> !given.isEmpty())));
    }

    private <U> Setting<U> to(Function<T, U> conversion) {
        return new Setting<>(
                name,
                form,
                conversion.apply(otherwise),
                meaning,
                text -> parser.apply(text).map(conversion));
    }

    private static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    private static String plain(double number) {
        return number == Math.rint(number) ? String.valueOf((long) number) : String.valueOf(number);
    }

    private static Optional<Long> asLong(String text) {
        try {
            return Optional.of(Long.parseLong(text));
        } catch (NumberFormatException notANumber) {
            return Optional.empty();
        }
    }

    private static Optional<Double> asDouble(String text) {
        try {
            return Optional.of(Double.parseDouble(text));
        } catch (NumberFormatException notANumber) {
            return Optional.empty();
        }
    }

    /** The name of the property. */
    public String name() {
        return name;
    }

    /** What it may be, in words. */
    public String form() {
        return form;
    }

    /** What it is unless it is set. */
    public T otherwise() {
        return otherwise;
    }

    /** What it is for. */
    public String meaning() {
        return meaning;
    }

    /** Whether it is set, and not to nothing. */
    public boolean isSet() {
        return given().isPresent();
    }

    private Optional<String> given() {
        return Optional.ofNullable(System.getProperty(name)).map(String::strip).filter(text -> !text.isEmpty());
    }

    /**
     * What it is at this moment.
     *
     * @throws IllegalArgumentException if it is set to something that it cannot be; the message names both
     */
    public T get() {
        String given = System.getProperty(name);
        return given == null ? otherwise : parse(given);
    }

    /**
     * What a text means.
     *
     * @throws IllegalArgumentException if it means nothing
     */
    public T parse(String text) {
        return parser.apply(text.strip())
                .orElseThrow(() -> new IllegalArgumentException(name + " must be " + form + ", not \"" + text + "\""));
    }

    /** The names of settings, each with what it is for. */
    public static Map<String, String> meanings(List<Setting<?>> settings) {
        Map<String, String> meanings = new LinkedHashMap<>();
        settings.forEach(each -> meanings.put(each.name, each.meaning));
        return Collections.unmodifiableMap(meanings);
    }
}
