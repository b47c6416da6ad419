package org.galerna.cli.source;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.net.URI;
import java.util.Map;
import java.util.TreeMap;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;

/** Files of the compiler, whose results stay in memory. */
final class MemoryFiles extends ForwardingJavaFileManager<StandardJavaFileManager> {
    private final Map<String, ByteArrayOutputStream> classes = new TreeMap<>();

    MemoryFiles(StandardJavaFileManager files) {
        super(files);
    }

    @Override
    public JavaFileObject getJavaFileForOutput(
            Location location, String className, JavaFileObject.Kind kind, FileObject sibling) {
        URI address = URI.create("memory:///" + className.replace('.', '/') + kind.extension);
        return new SimpleJavaFileObject(address, kind) {
            @Override
            public OutputStream openOutputStream() {
                ByteArrayOutputStream content = new ByteArrayOutputStream();
                classes.put(className, content);
                return content;
            }
        };
    }

    /** The class files by the names of their classes. */
    Map<String, byte[]> classes() {
        Map<String, byte[]> contents = new TreeMap<>();
        classes.forEach((name, content) -> contents.put(name, content.toByteArray()));
        return contents;
    }
}
