package org.galerna.testkit.process;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/** Compiles small programs that tests bring along as text. */
public final class Programs {
    private static final Pattern PACKAGE = Pattern.compile("^package ([\\w.]+);", Pattern.MULTILINE);
    private static final Pattern MODULE = Pattern.compile("^(?:open )?module ");
    private static final Pattern TYPE = Pattern.compile("(?:class|interface|record|enum) (\\w+)");

    private Programs() {}

    /**
     * Compiles sources against the class path of this JVM.
     *
     * @param folder where the class files go; created if it is not there
     * @param sources one compilation unit each, named after the first type it declares
     * @return {@code folder}
     * @throws AssertionError if they do not compile
     */
    public static Path compile(Path folder, String... sources) {
        return compile(folder, List.of(), sources);
    }

    /** As {@link #compile(Path, String...)}, with further options for {@code javac}. */
    public static Path compile(Path folder, List<String> javacOptions, String... sources) {
        try {
            Files.createDirectories(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        List<String> options = new ArrayList<>(List.of(
                "-proc:none",
                "-d",
                folder.toString(),
                "-cp",
                folder + File.pathSeparator + System.getProperty("java.class.path")));
        options.addAll(javacOptions);
        StringWriter messages = new StringWriter();
        boolean done = compiler.getTask(
                        messages,
                        null,
                        null,
                        options,
                        null,
                        Arrays.stream(sources).map(Source::new).toList())
                .call();
        if (!done) {
            throw new AssertionError(messages.toString());
        }
        return folder;
    }

    /** Packs a folder into an archive. */
    public static Path jar(Path archive, Path folder, Manifest manifest) {
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        try (OutputStream file = Files.newOutputStream(archive);
                JarOutputStream jar = new JarOutputStream(file, manifest);
                Stream<Path> files = Files.walk(folder)) {
            for (Path each : files.filter(Files::isRegularFile).sorted().toList()) {
                jar.putNextEntry(new ZipEntry(folder.relativize(each).toString().replace(File.separatorChar, '/')));
                Files.copy(each, jar);
                jar.closeEntry();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return archive;
    }

    private static final class Source extends SimpleJavaFileObject {
        private final String text;

        Source(String text) {
            super(URI.create("memory:///" + name(text) + JavaFileObject.Kind.SOURCE.extension), Kind.SOURCE);
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }

        private static String name(String text) {
            if (MODULE.matcher(text).find()) {
                return "module-info";
            }
            Matcher declared = PACKAGE.matcher(text);
            Matcher type = TYPE.matcher(text);
            String simple = type.find() ? type.group(1) : "Unnamed";
            return (declared.find() ? declared.group(1) + "." : "").replace('.', '/') + simple;
        }
    }
}
