package org.galerna.tools.jar;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassFile.StackMapsOption;
import java.lang.classfile.Opcode;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClassVersionsTest {
    private static final ClassDesc OLD = ClassDesc.of("example.Old");
    private static final LocalDateTime TIME = LocalDateTime.of(2025, 1, 2, 3, 4, 6);
    private static final MethodTypeDesc SIGN = MethodTypeDesc.of(ConstantDescs.CD_String, ConstantDescs.CD_int);

    /** As a compiler of Java 5 writes it: with a branch, and no stack map. */
    private static byte[] oldClass() {
        return ClassFile.of(StackMapsOption.DROP_STACK_MAPS)
                .build(
                        OLD,
                        type -> type.withVersion(49, 0)
                                .withMethodBody(
                                        "sign",
                                        SIGN,
                                        ClassFile.ACC_PUBLIC | ClassFile.ACC_STATIC,
                                        code -> code.iload(0)
                                                .ifThenElse(
                                                        Opcode.IFLT,
                                                        negative -> negative.loadConstant("negative"),
                                                        other -> other.loadConstant("other"))
                                                .areturn()));
    }

    private static void put(ZipOutputStream out, String name, byte[] content) throws Exception {
        ZipEntry entry = new ZipEntry(name);
        entry.setTimeLocal(TIME);
        out.putNextEntry(entry);
        out.write(content);
        out.closeEntry();
    }

    @Test
    void oldClassesGetStackMapsAndOthersStay(@TempDir Path folder) throws Exception {
        Path archive = folder.resolve("some.jar");
        byte[] present;
        try (var file = ClassVersionsTest.class.getResourceAsStream("ClassVersionsTest.class")) {
            present = file.readAllBytes();
        }
        try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(archive))) {
            put(out, "META-INF/", new byte[0]);
            put(out, "example/Old.class", oldClass());
            put(out, "Present.class", present);
            put(out, "text", new byte[] {1, 2});
        }
        ClassVersions.main(new String[] {archive.toString()});
        try (ZipFile file = new ZipFile(archive.toFile())) {
            assertThat(file.stream().map(ZipEntry::getName))
                    .containsExactly("META-INF/", "example/Old.class", "Present.class", "text");
            assertThat(file.stream().map(ZipEntry::getTimeLocal).distinct()).containsExactly(TIME);
            assertThat(file.getInputStream(file.getEntry("Present.class")).readAllBytes())
                    .isEqualTo(present);
            assertThat(file.getInputStream(file.getEntry("text")).readAllBytes())
                    .containsExactly(1, 2);
            byte[] renewed =
                    file.getInputStream(file.getEntry("example/Old.class")).readAllBytes();
            assertThat(ClassVersions.version(renewed)).isEqualTo(50);
            assertThat(new String(renewed, StandardCharsets.ISO_8859_1)).contains("StackMapTable");
        }
        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {archive.toUri().toURL()}, null)) {
            Class<?> old = loader.loadClass("example.Old");
            assertThat(old.getMethod("sign", int.class).invoke(null, -3)).isEqualTo("negative");
            assertThat(old.getMethod("sign", int.class).invoke(null, 3)).isEqualTo("other");
        }
    }
}
