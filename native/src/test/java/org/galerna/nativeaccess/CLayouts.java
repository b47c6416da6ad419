package org.galerna.nativeaccess;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;

/** Compares the constants of layouts with what the C compiler makes of headers, where there are both. */
public final class CLayouts {
    private CLayouts() {}

    /** Each line of the table names a constant, which has to be mentioned, and what it is in C. */
    public static void compare(Path folder, Class<?> layout, String header, String table) throws Exception {
        StringBuilder program = new StringBuilder(
                "#include <stddef.h>\n#include <stdio.h>\n#include <" + header + ">\nint main(void) {\n");
        for (String line : table.strip().split("\n")) {
            int space = line.indexOf(' ');
            program.append("printf(\"%s %d\\n\", \"")
                    .append(line, 0, space)
                    .append("\", (int) (")
                    .append(line.substring(space + 1))
                    .append("));\n");
        }
        program.append("return 0;\n}\n");
        assertThat(constants(layout)).isEqualTo(run(folder, program.toString(), header));
    }

    private static Map<String, Integer> constants(Class<?> layout) throws IllegalAccessException {
        Map<String, Integer> constants = new LinkedHashMap<>();
        for (Field field : layout.getDeclaredFields()) {
            if (Modifier.isStatic(field.getModifiers()) && field.getType() == int.class) {
                field.setAccessible(true);
                constants.put(field.getName(), field.getInt(null));
            }
        }
        return constants;
    }

    private static Map<String, Integer> run(Path folder, String program, String header) throws Exception {
        Path source = Files.writeString(folder.resolve("layout.c"), program);
        Path binary = folder.resolve("layout");
        String errors = execute("gcc", "-o", binary.toString(), source.toString());
        Assumptions.assumeFalse(
                errors.contains("No such file"), "no C compiler, or no header " + header + ": " + errors);
        assertThat(errors).isEmpty();
        Map<String, Integer> values = new LinkedHashMap<>();
        Arrays.stream(execute(binary.toString()).strip().split("\n")).forEach(line -> {
            String[] parts = line.split(" ");
            values.put(parts[0], Integer.valueOf(parts[1]));
        });
        return values;
    }

    private static String execute(String... command) throws IOException, InterruptedException {
        Process process;
        try {
            process = new ProcessBuilder(command).redirectErrorStream(true).start();
        } catch (IOException missing) {
            return "No such file: " + command[0];
        }
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
        return output;
    }
}
