package org.galerna.cli.source;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import javax.lang.model.SourceVersion;
import javax.tools.SimpleJavaFileObject;

/** The source file that a program starts with: of any name, and with a first line for the shell if it has one. */
final class MainFile extends SimpleJavaFileObject {
    private final Path path;
    private final String content;
    private final boolean hasLineForTheShell;

    private MainFile(Path path, String content, boolean hasLineForTheShell) {
        super(path.toUri(), Kind.SOURCE);
        this.path = path;
        this.content = content;
        this.hasLineForTheShell = hasLineForTheShell;
    }

    static MainFile read(Path path) {
        if (Files.isDirectory(path)) {
            throw SourceException.notAProgram(path + " is a folder, not a source file");
        }
        try {
            String content = Files.readString(path, Charset.defaultCharset());
            boolean line = content.startsWith("#!");
            // commented out, so that the numbers of the lines stay as they are
            return new MainFile(path, line ? "//" + content : content, line);
        } catch (NoSuchFileException missing) {
            throw SourceException.notAProgram("there is no file " + path);
        } catch (CharacterCodingException binary) {
            throw SourceException.notAProgram(path + " is not a text in " + Charset.defaultCharset());
        } catch (IOException unreadable) {
            throw SourceException.notAProgram(path + " cannot be read: " + unreadable.getMessage());
        }
    }

    /** A program for the shell is one file, as for {@code java}. */
    boolean isAlone() {
        return hasLineForTheShell;
    }

    Path path() {
        return path;
    }

    @Override
    public String getName() {
        return path.toString();
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
        return content;
    }

    @Override
    public boolean isNameCompatible(String simpleName, Kind kind) {
        return kind == Kind.SOURCE && SourceVersion.isIdentifier(simpleName);
    }
}
