package org.galerna.launch.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeModel;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.ClassDesc;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.galerna.launch.RankRuntime;
import org.galerna.testkit.process.Programs;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class CallRedirectsTest {
    @TempDir
    Path folder;

    private final CallRedirects redirects = new CallRedirects();

    static List<CallRedirects.Redirect> all() {
        return CallRedirects.ALL;
    }

    @ParameterizedTest
    @MethodSource("all")
    void bothEndsOfEveryRedirectExist(CallRedirects.Redirect redirect) throws Exception {
        Class<?> owner = Class.forName(name(redirect.owner()));
        if (redirect.kind() == CallRedirects.Kind.STATIC_FIELD) {
            assertThat(owner.getField(redirect.name()).getType().descriptorString())
                    .isEqualTo(redirect.descriptor());
        } else {
            assertThat(owner.getMethods())
                    .anyMatch(method -> method.getName().equals(redirect.name())
                            && descriptor(method).equals(redirect.descriptor())
                            && Modifier.isStatic(method.getModifiers())
                                    == (redirect.kind() == CallRedirects.Kind.STATIC_METHOD));
        }
        assertThat(RankRuntime.class.getMethods())
                .anyMatch(method -> method.getName().equals(redirect.name())
                        && Modifier.isStatic(method.getModifiers())
                        && descriptor(method).equals(redirect.targetType().descriptorString()));
        assertThat(name(CallRedirects.TARGET)).isEqualTo(RankRuntime.class.getName());
    }

    @Test
    void aClassWithNothingToRedirectIsLeftAlone() throws IOException {
        byte[] bytes = compile("""
                class Some {
                    static int exit;
                    static void setOut(int out) {
                        exit(out);
                    }
                    static void exit(int in) {
                        exit = in;
                    }
                }
                """);
        byte[] result = redirects.apply(bytes);
        assertThat(callees(result)).containsExactly("java.lang.Object.<init>", "Some.exit");
        byte[] plain = compile("class Some { int sum(int a) { return a + 1; } }");
        assertThat(redirects.apply(plain)).isSameAs(plain);
    }

    @Test
    void whatIsNoClassFileIsLeftToTheJvm() {
        for (byte[] bytes : List.of(
                new byte[0],
                new byte[] {1, 2},
                new byte[200],
                "\1\0\4exit".repeat(9).getBytes(StandardCharsets.US_ASCII))) {
            assertThat(redirects.apply(bytes)).isSameAs(bytes);
        }
    }

    /** Merges of types that are not there when the class is rewritten, handlers, switches, dead code. */
    @Test
    void aRewrittenMethodOfAnyShapePassesTheVerifier() throws Exception {
        byte[] bytes = compile("""
                import java.util.function.*;

                class Some {
                    interface Shape {}
                    static class Round implements Shape {}
                    static class Square implements Shape {}
                    static class Failure extends RuntimeException {}

                    static int run(int what) throws Exception {
                        Shape shape = what > 3 ? new Round() : what > 2 ? new Square() : null;
                        int sum = 0;
                        try {
                            for (int i = 0; i < what; i++) {
                                switch (i) {
                                    case 1 -> System.out.print("");
                                    case 5_000_000 -> System.exit(1);
                                    case 7 -> Runtime.getRuntime().halt(i);
                                    default -> sum += i;
                                }
                                long wide = what * 3L;
                                double real = wide;
                                if (real > 1e9) {
                                    IntConsumer end = what > 5 ? System::exit : Runtime.getRuntime()::exit;
                                    end.accept(sum);
                                }
                            }
                            if (shape instanceof Round) {
                                throw new Failure();
                            }
                        } catch (Failure | IllegalStateException failure) {
                            System.err.flush();
                            sum += 100;
                        } finally {
                            sum += 1000;
                        }
                        while (sum < 0) {
                            System.exit(3);
                        }
                        return sum;
                    }
                }
                """);
        byte[] result = redirects.apply(bytes);
        assertThat(callees(result))
                .contains(
                        RankRuntime.class.getName() + ".exit",
                        RankRuntime.class.getName() + ".halt",
                        RankRuntime.class.getName() + ".out",
                        RankRuntime.class.getName() + ".err")
                .doesNotContain("java.lang.System.exit", "java.lang.Runtime.halt");
        ClassLoader loader = new ClassLoader(getClass().getClassLoader()) {
            @Override
            protected Class<?> findClass(String name) throws ClassNotFoundException {
                try {
                    byte[] content = Files.readAllBytes(folder.resolve(name + ".class"));
                    byte[] defined = redirects.apply(content);
                    return defineClass(name, defined, 0, defined.length);
                } catch (IOException e) {
                    throw new ClassNotFoundException(name, e);
                }
            }
        };
        Method run = Class.forName("Some", true, loader).getDeclaredMethod("run", int.class);
        run.setAccessible(true);
        assertThat(run.invoke(null, 5)).isEqualTo(1109);
        assertThat(run.invoke(null, 3)).isEqualTo(1002);
        assertThatCode(() -> run.invoke(null, 0)).doesNotThrowAnyException();
    }

    private byte[] compile(String source) throws IOException {
        return Files.readAllBytes(Programs.compile(folder, source).resolve("Some.class"));
    }

    private static List<String> callees(byte[] classFile) {
        return ClassFile.of().parse(classFile).methods().stream()
                .flatMap(method -> method.code().stream())
                .flatMap(CodeModel::elementStream)
                .filter(InvokeInstruction.class::isInstance)
                .map(element -> (InvokeInstruction) element)
                .map(call -> name(call.owner().asSymbol()) + "." + call.name().stringValue())
                .distinct()
                .toList();
    }

    private static String name(ClassDesc type) {
        return type.packageName().isEmpty() ? type.displayName() : type.packageName() + "." + type.displayName();
    }

    private static String descriptor(Method method) {
        return MethodType.methodType(method.getReturnType(), method.getParameterTypes())
                .descriptorString();
    }
}
