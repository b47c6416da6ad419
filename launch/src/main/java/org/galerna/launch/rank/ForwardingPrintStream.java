package org.galerna.launch.rank;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.Charset;
import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What {@code System.out} and {@code System.err} are while jobs run: everything goes to the stream of the rank that
 * the calling thread works for, or to the original stream if it works for none. Formatted text is handed on in one
 * piece, so that ranks do not get between its parts.
 */
@SuppressWarnings("AnnotateFormatMethod") // the annotation is a library's
final class ForwardingPrintStream extends PrintStream {
    private final PrintStream original;
    private final Function<RankContext, PrintStream> ofRank;

    ForwardingPrintStream(PrintStream original, Function<RankContext, PrintStream> ofRank) {
        super(OutputStream.nullOutputStream(), false, original.charset());
        this.original = original;
        this.ofRank = ofRank;
    }

    private PrintStream target() {
        RankContext rank = RankContext.current();
        return rank == null ? original : ofRank.apply(rank);
    }

    @Override
    public void flush() {
        target().flush();
    }

    @Override
    public void close() {
        target().close();
    }

    @Override
    public boolean checkError() {
        return target().checkError();
    }

    @Override
    public Charset charset() {
        return target().charset();
    }

    @Override
    public void write(int b) {
        target().write(b);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) {
        target().write(bytes, offset, length);
    }

    @Override
    public void write(byte[] bytes) throws IOException {
        target().write(bytes);
    }

    @Override
    public void writeBytes(byte[] bytes) {
        target().writeBytes(bytes);
    }

    @Override
    public void println() {
        target().println();
    }

    @Override
    public void print(boolean value) {
        target().print(value);
    }

    @Override
    public void print(char value) {
        target().print(value);
    }

    @Override
    public void print(int value) {
        target().print(value);
    }

    @Override
    public void print(long value) {
        target().print(value);
    }

    @Override
    public void print(float value) {
        target().print(value);
    }

    @Override
    public void print(double value) {
        target().print(value);
    }

    @Override
    public void print(char[] text) {
        target().print(text);
    }

    @Override
    public void print(@Nullable String text) {
        target().print(text);
    }

    @Override
    public void print(@Nullable Object value) {
        target().print(value);
    }

    @Override
    public void println(boolean value) {
        target().println(value);
    }

    @Override
    public void println(char value) {
        target().println(value);
    }

    @Override
    public void println(int value) {
        target().println(value);
    }

    @Override
    public void println(long value) {
        target().println(value);
    }

    @Override
    public void println(float value) {
        target().println(value);
    }

    @Override
    public void println(double value) {
        target().println(value);
    }

    @Override
    public void println(char[] text) {
        target().println(text);
    }

    @Override
    public void println(@Nullable String text) {
        target().println(text);
    }

    @Override
    public void println(@Nullable Object value) {
        target().println(value);
    }

    @Override
    public PrintStream printf(String format, @Nullable Object... arguments) {
        return format(format, arguments);
    }

    @Override
    public PrintStream printf(@Nullable Locale locale, String format, @Nullable Object... arguments) {
        return format(locale, format, arguments);
    }

    @Override
    public PrintStream format(String format, @Nullable Object... arguments) {
        target().print(String.format(format, arguments));
        return this;
    }

    @Override
    public PrintStream format(@Nullable Locale locale, String format, @Nullable Object... arguments) {
        target().print(String.format(locale, format, arguments));
        return this;
    }

    @Override
    public PrintStream append(@Nullable CharSequence text) {
        target().append(text);
        return this;
    }

    @Override
    public PrintStream append(@Nullable CharSequence text, int start, int end) {
        target().append(text, start, end);
        return this;
    }

    @Override
    public PrintStream append(char value) {
        target().append(value);
        return this;
    }
}
