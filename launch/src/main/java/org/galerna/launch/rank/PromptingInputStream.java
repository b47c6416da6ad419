package org.galerna.launch.rank;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;

/** The standard input of a rank: who is about to wait for an answer has to see the question. */
final class PromptingInputStream extends FilterInputStream {
    private final PrintStream prompt;

    PromptingInputStream(InputStream source, PrintStream prompt) {
        super(source);
        this.prompt = prompt;
    }

    @Override
    public int read() throws IOException {
        prompt.flush();
        return super.read();
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        prompt.flush();
        return super.read(bytes, offset, length);
    }
}
