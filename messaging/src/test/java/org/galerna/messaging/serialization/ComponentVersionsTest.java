package org.galerna.messaging.serialization;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.tools.ToolProvider;
import org.galerna.messaging.serialization.AllComponents.All;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A component of each kind that only one of two versions has, at the end of a record. */
class ComponentVersionsTest {
    private static final RecordComponent[] COMPONENTS = All.class.getRecordComponents();
    private static final RecordSerializer<Older> OLDER = RecordSerializer.of(Older.class);

    record Older(int first) {}

    @TempDir
    Path folder;

    /** For each component a record with that one behind a number. */
    private List<Class<?>> newer() throws IOException, IllegalAccessException {
        StringBuilder source = new StringBuilder("package " + getClass().getPackageName() + ";\n");
        for (int each = 0; each < COMPONENTS.length; each++) {
            String type = COMPONENTS[each].getGenericType().getTypeName().replace('$', '.');
            source.append("record Newer" + each + "(int first, " + type + " second) {}\n");
        }
        Path file = folder.resolve("Newer.java");
        Files.writeString(file, source);
        Path known = Path.of(
                All.class.getProtectionDomain().getCodeSource().getLocation().getPath());
        assertThat(ToolProvider.getSystemJavaCompiler()
                        .run(
                                null,
                                null,
                                null,
                                "-proc:none",
                                "-nowarn",
                                "-cp",
                                known.toString(),
                                "-d",
                                folder.toString(),
                                file.toString()))
                .isZero();
        List<Class<?>> classes = new ArrayList<>();
        for (int each = 0; each < COMPONENTS.length; each++) {
            Path made = folder.resolve(getClass().getPackageName().replace('.', '/'), "Newer" + each + ".class");
            classes.add(MethodHandles.lookup().defineClass(Files.readAllBytes(made)));
        }
        return classes;
    }

    private static <R> void assertUnderstood(Class<R> newer, RecordComponent component, @Nullable Object value)
            throws ReflectiveOperationException {
        Constructor<R> maker = newer.getDeclaredConstructor(int.class, component.getType());
        RecordComponent second = newer.getRecordComponents()[1];
        RecordSerializer<R> serializer = RecordSerializer.of(newer);
        byte[] bytes = Pieces.write(maker.newInstance(7, value), serializer, _ -> 1 << 16);
        assertThat(Pieces.read(bytes, OLDER, _ -> 1 << 16))
                .as(component.toString())
                .isEqualTo(new Older(7));
        assertThat(AllComponents.text(second.getAccessor().invoke(Pieces.read(bytes, serializer, _ -> 1 << 16))))
                .as(component.toString())
                .isEqualTo(AllComponents.text(value));
        R read = Pieces.read(Pieces.write(new Older(8), OLDER, _ -> 1 << 16), serializer, _ -> 1 << 16);
        Object none = Array.get(Array.newInstance(component.getType(), 1), 0);
        assertThat(AllComponents.text(read)).isEqualTo(AllComponents.text(maker.newInstance(8, none)));
        assertThat(serializer.layout().difference(OLDER.layout())).isNull();
        assertThat(OLDER.layout().difference(serializer.layout())).isNull();
    }

    @Test
    void eachComponentMayBeAddedAtTheEnd() throws Exception {
        List<Class<?>> newer = newer();
        for (All values : RecordComponentsTest.examples()) {
            for (int each = 0; each < COMPONENTS.length; each++) {
                assertUnderstood(
                        newer.get(each),
                        COMPONENTS[each],
                        COMPONENTS[each].getAccessor().invoke(values));
            }
        }
    }
}
