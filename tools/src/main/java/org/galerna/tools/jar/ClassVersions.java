package org.galerna.tools.jar;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassFile.StackMapsOption;
import java.lang.classfile.ClassFileVersion;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.MethodModel;
import java.lang.classfile.MethodTransform;
import java.lang.constant.ClassDesc;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.LocalDateTime;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;

/**
 * Gives the old class files in an archive a newer version, and the stack maps that belong to it: {@code ClassVersions <archive>}.
 * The JDK's ahead-of-time cache (JEP 483) takes no class whose file is older than version
 * {@value #FIRST_WITH_STACK_MAPS}. Code, names and constants stay as they are.
 */
public final class ClassVersions {
    /** The version of Java 6; the new verifier needs no other one for what older versions can say. */
    private static final int FIRST_WITH_STACK_MAPS = 50;

    private static final int MAJOR_VERSION_AT = 6;

    private final Map<String, byte[]> contents = new LinkedHashMap<>();
    private final Map<String, LocalDateTime> times = new LinkedHashMap<>();
    private final ClassFile format = ClassFile.of(
            StackMapsOption.GENERATE_STACK_MAPS,
            ClassFile.ClassHierarchyResolverOption.of(ClassHierarchyResolver.ofResourceParsing(
                            type -> classFile(type).orElse(null))
                    .orElse(ClassHierarchyResolver.defaultResolver())));

    private ClassVersions() {}

    /** Changes the archive in place. */
    public static void main(String[] arguments) throws IOException {
        Path archive = Path.of(arguments[0]);
        ClassVersions versions = new ClassVersions();
        versions.read(archive);
        int changed = versions.renew();
        versions.write(archive);
        System.out.println(changed + " classes of " + archive.getFileName() + " have a new version");
    }

    private void read(Path archive) throws IOException {
        try (ZipInputStream in = new ZipInputStream(Files.newInputStream(archive))) {
            for (ZipEntry entry = in.getNextEntry(); entry != null; entry = in.getNextEntry()) {
                times.put(entry.getName(), entry.getTimeLocal());
                contents.put(entry.getName(), in.readAllBytes());
            }
        }
    }

    private Optional<InputStream> classFile(ClassDesc type) {
        String descriptor = type.descriptorString();
        return Optional.ofNullable(contents.get(descriptor.substring(1, descriptor.length() - 1) + ".class"))
                .map(ByteArrayInputStream::new);
    }

    private int renew() {
        int changed = 0;
        for (Map.Entry<String, byte[]> each : contents.entrySet()) {
            if (each.getKey().endsWith(".class") && version(each.getValue()) < FIRST_WITH_STACK_MAPS) {
                each.setValue(renewed(each.getValue()));
                changed++;
            }
        }
        return changed;
    }

    static int version(byte[] file) {
        return Byte.toUnsignedInt(file[MAJOR_VERSION_AT]) << Byte.SIZE | Byte.toUnsignedInt(file[MAJOR_VERSION_AT + 1]);
    }

    private byte[] renewed(byte[] file) {
        ClassModel old = format.parse(file);
        return format.build(
                old.thisClass().asSymbol(),
                renewed -> old.forEach(element -> {
                    switch (element) {
                        case ClassFileVersion _ -> renewed.withVersion(FIRST_WITH_STACK_MAPS, 0);
                        // the code is written anew, which makes its stack maps
                        case MethodModel method ->
                            renewed.transformMethod(method, MethodTransform.transformingCode(CodeTransform.ACCEPT_ALL));
                        default -> renewed.with(element);
                    }
                }));
    }

    private void write(Path archive) throws IOException {
        Path draft = archive.resolveSibling(archive.getFileName() + ".draft");
        try (OutputStream file = Files.newOutputStream(draft);
                ZipOutputStream out = new ZipOutputStream(file)) {
            for (Map.Entry<String, byte[]> each : contents.entrySet()) {
                ZipEntry entry = new ZipEntry(each.getKey());
                entry.setTimeLocal(times.get(each.getKey()));
                out.putNextEntry(entry);
                out.write(each.getValue());
                out.closeEntry();
            }
        }
        Files.move(draft, archive, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    }
}
