package org.galerna.launch.rank;

import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.Charset;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What {@code System.out} and {@code System.err} are while jobs run, for code that is not the program's own: the JDK
 * and Galerna. Everything goes to the stream of the rank that the calling thread works for, or to the original stream
 * if it works for none. A rank's replacement of its stream that prints on this one in turn, since it has got hold of
 * it before, reaches the stream that it has replaced.
 */
@SuppressWarnings("AnnotateFormatMethod") // the annotation is a library's
final class ForwardingPrintStream extends PrintStream {
    private final PrintStream original;
    private final Function<RankContext, RankStream> ofRank;

    ForwardingPrintStream(PrintStream original, Function<RankContext, RankStream> ofRank) {
        super(OutputStream.nullOutputStream(), false, original.charset());
        this.original = original;
        this.ofRank = ofRank;
    }

    /** The stream of the rank that the calling thread works for, else the original. */
    PrintStream here() {
        RankContext rank = RankContext.current();
        return rank == null ? original : ofRank.apply(rank).current();
    }

    private void forward(Consumer<PrintStream> action) {
        RankContext rank = RankContext.current();
        if (rank == null) {
            action.accept(original);
            return;
        }
        RankStream streams = ofRank.apply(rank);
        boolean replaced = streams.current() != streams.first();
        action.accept(replaced && !isInsideOfPrinting() ? streams.current() : streams.first());
    }

    /** True if some other stream is in the middle of printing: then that is the replacement of this one. */
    private static boolean isInsideOfPrinting() {
        return StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE)
                .walk(frames -> frames.map(StackWalker.StackFrame::getDeclaringClass)
                        .anyMatch(type ->
                                type != ForwardingPrintStream.class && PrintStream.class.isAssignableFrom(type)));
    }

    @Override
    public void flush() {
        forward(stream -> stream.flush());
    }

    @Override
    public void close() {
        forward(stream -> stream.close());
    }

    @Override
    public boolean checkError() {
        RankContext rank = RankContext.current();
        return rank == null ? original.checkError() : ofRank.apply(rank).first().checkError();
    }

    @Override
    public Charset charset() {
        return original.charset();
    }

    @Override
    public void write(int b) {
        forward(stream -> stream.write(b));
    }

    @Override
    public void write(byte[] bytes, int offset, int length) {
        forward(stream -> stream.write(bytes, offset, length));
    }

    @Override
    public void write(byte[] bytes) {
        forward(stream -> stream.writeBytes(bytes));
    }

    @Override
    public void writeBytes(byte[] bytes) {
        forward(stream -> stream.writeBytes(bytes));
    }

    @Override
    public void println() {
        forward(stream -> stream.println());
    }

    @Override
    public void print(boolean value) {
        forward(stream -> stream.print(value));
    }

    @Override
    public void print(char value) {
        forward(stream -> stream.print(value));
    }

    @Override
    public void print(int value) {
        forward(stream -> stream.print(value));
    }

    @Override
    public void print(long value) {
        forward(stream -> stream.print(value));
    }

    @Override
    public void print(float value) {
        forward(stream -> stream.print(value));
    }

    @Override
    public void print(double value) {
        forward(stream -> stream.print(value));
    }

    @Override
    public void print(char[] text) {
        forward(stream -> stream.print(text));
    }

    @Override
    public void print(@Nullable String text) {
        forward(stream -> stream.print(text));
    }

    @Override
    public void print(@Nullable Object value) {
        forward(stream -> stream.print(value));
    }

    @Override
    public void println(boolean value) {
        forward(stream -> stream.println(value));
    }

    @Override
    public void println(char value) {
        forward(stream -> stream.println(value));
    }

    @Override
    public void println(int value) {
        forward(stream -> stream.println(value));
    }

    @Override
    public void println(long value) {
        forward(stream -> stream.println(value));
    }

    @Override
    public void println(float value) {
        forward(stream -> stream.println(value));
    }

    @Override
    public void println(double value) {
        forward(stream -> stream.println(value));
    }

    @Override
    public void println(char[] text) {
        forward(stream -> stream.println(text));
    }

    @Override
    public void println(@Nullable String text) {
        forward(stream -> stream.println(text));
    }

    @Override
    public void println(@Nullable Object value) {
        forward(stream -> stream.println(value));
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
        forward(stream -> stream.print(String.format(format, arguments)));
        return this;
    }

    @Override
    public PrintStream format(@Nullable Locale locale, String format, @Nullable Object... arguments) {
        forward(stream -> stream.print(String.format(locale, format, arguments)));
        return this;
    }

    @Override
    public PrintStream append(@Nullable CharSequence text) {
        forward(stream -> stream.append(text));
        return this;
    }

    @Override
    public PrintStream append(@Nullable CharSequence text, int start, int end) {
        forward(stream -> stream.append(text, start, end));
        return this;
    }

    @Override
    public PrintStream append(char value) {
        forward(stream -> stream.append(value));
        return this;
    }
}
