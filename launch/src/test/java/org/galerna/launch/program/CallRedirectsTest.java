package org.galerna.launch.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeModel;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.DirectMethodHandleDesc;
import java.lang.constant.DynamicConstantDesc;
import java.lang.constant.MethodHandleDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandleInfo;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.galerna.launch.RankRuntime;
import org.galerna.launch.RankUrlClassLoader;
import org.galerna.testkit.process.Programs;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class CallRedirectsTest {
    @TempDir
    Path folder;

    private final CallRedirects redirects = new CallRedirects();

    static List<Redirect> redirects() {
        return Stream.of(ProcessCalls.REDIRECTS, LoadingCalls.REDIRECTS, SharedCalls.REDIRECTS)
                .flatMap(List::stream)
                .toList();
    }

    static List<Prelude> preludes() {
        return LoadingCalls.PRELUDES;
    }

    @ParameterizedTest
    @MethodSource("redirects")
    void bothEndsOfEveryRedirectExist(Redirect redirect) throws Exception {
        Class<?> owner = Class.forName(name(redirect.owner()));
        if (redirect.kind() == Redirect.Kind.STATIC_FIELD) {
            assertThat(owner.getField(redirect.name()).getType().descriptorString())
                    .isEqualTo(redirect.descriptor());
        } else {
            assertThat(owner.getMethods())
                    .anyMatch(method -> method.getName().equals(redirect.name())
                            && descriptor(method).equals(redirect.descriptor())
                            && Modifier.isStatic(method.getModifiers())
                                    == (redirect.kind() == Redirect.Kind.STATIC_METHOD));
        }
        assertThat(Class.forName(name(redirect.target())).getMethods())
                .anyMatch(method -> method.getName().equals(redirect.name())
                        && Modifier.isStatic(method.getModifiers())
                        && descriptor(method).equals(redirect.targetType().descriptorString()));
    }

    @ParameterizedTest
    @MethodSource("preludes")
    void theCallsBeforeAndAfterEveryPreludeExist(Prelude prelude) throws Exception {
        Class<?> owner = Class.forName(name(prelude.owner()));
        assertThat(descriptors(owner, prelude.name())).contains(prelude.descriptor(), prelude.called());
    }

    private static List<String> descriptors(Class<?> owner, String name) {
        return name.equals("<init>")
                ? Stream.of(owner.getDeclaredConstructors())
                        .map(each -> MethodType.methodType(void.class, each.getParameterTypes())
                                .descriptorString())
                        .toList()
                : Stream.of(owner.getMethods())
                        .filter(each -> each.getName().equals(name))
                        .map(CallRedirectsTest::descriptor)
                        .toList();
    }

    /** Whoever makes a loader of that class makes ours. */
    @Test
    void theReplacementHasAllConstructorsThatAreReplaced() {
        assertThat(Stream.of(RankUrlClassLoader.class.getConstructors()).map(each -> List.of(each.getParameterTypes())))
                .containsAll(Stream.of(URLClassLoader.class.getConstructors())
                        .map(each -> List.of(each.getParameterTypes()))
                        .toList());
    }

    @Test
    void aMethodMayCallTheOneThatItOverrides() throws Exception {
        compile("""
                class Some {
                    static class Own extends Thread {
                        @Override
                        public ClassLoader getContextClassLoader() {
                            return super.getContextClassLoader();
                        }
                    }

                    static boolean run(int what) {
                        Thread own = new Own();
                        own.setContextClassLoader(null);
                        return own.getContextClassLoader() == null;
                    }
                }
                """);
        Method run = Class.forName("Some", true, rewriting()).getDeclaredMethod("run", int.class);
        run.setAccessible(true);
        assertThat(run.invoke(null, 0)).isEqualTo(true);
    }

    /** The instructions before a call are between those of the compiler, with branches in the arguments. */
    @Test
    void callsWithPreludesPassTheVerifier() throws Exception {
        compile("""
                import java.net.*;
                import java.util.function.*;

                class Some {
                    static class Own extends ClassLoader {
                        Class<?> define(String name, byte[] file, boolean whole) {
                            return defineClass(name, file, 0, whole ? file.length : 4, null);
                        }
                        Class<?> defineShort(String name, byte[] file) {
                            return defineClass(name, file, 0, file.length);
                        }
                    }

                    static class OwnUrl extends URLClassLoader {
                        OwnUrl(boolean none) {
                            super(none ? new URL[0] : new URL[] {null}, none ? null : getSystemClassLoader());
                        }
                    }

                    static int run(int what) throws Exception {
                        long wide = what * 3L;
                        URL one = new URL(what > 3 ? "file:/a" : "file:/bb");
                        URL two = new URL(one, what > 2 ? "c" : "dd");
                        URL three = new URL("file", what > 1 ? "" : null, "/ee");
                        URL four = new URL("http", "host", what > 1 ? 80 : 81, "/f");
                        Function<URL[], URLClassLoader> maker = URLClassLoader::new;
                        int sum = 0;
                        for (URL each : new URL[] {one, two, three, four}) {
                            sum += each.getPath().length();
                        }
                        try (URLClassLoader made = maker.apply(new URL[what > 3 ? 0 : 0]);
                                URLClassLoader own = new OwnUrl(what > 0)) {
                            sum += made.getURLs().length + (own.getParent() == null ? 100 : 0);
                        }
                        new Own().getParent();
                        Class.forName("java.lang.String", what > 0, ClassLoader.getSystemClassLoader());
                        java.util.ServiceLoader.load(what > 0 ? Runnable.class : Runnable.class, null);
                        try {
                            System.load(what > 0 ? "relative" : "path");
                        } catch (UnsatisfiedLinkError error) {
                            sum += wide > 0 ? 1000 : 0;
                        }
                        return sum;
                    }
                }
                """);
        Method run = Class.forName("Some", true, rewriting()).getDeclaredMethod("run", int.class);
        run.setAccessible(true);
        assertThat(run.invoke(null, 5)).isEqualTo(1109);
        assertThat(run.invoke(null, 1)).isEqualTo(1111);
    }

    /** As a call, so as a method reference: a handle among the constants, which may be one of a constant's arguments too. */
    @ParameterizedTest
    @MethodSource({"redirects", "preludes"})
    void noHandleOfWhatIsChangedStays(Change change) throws Exception {
        DirectMethodHandleDesc handle = handle(change);
        DynamicConstantDesc<?> nested = DynamicConstantDesc.ofNamed(
                MethodHandleDesc.ofMethod(
                        DirectMethodHandleDesc.Kind.STATIC,
                        ClassDesc.of("Some"),
                        "only",
                        MethodTypeDesc.ofDescriptor("(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;"
                                + "Ljava/lang/Class;Ljava/lang/invoke/MethodHandle;)Ljava/lang/invoke/MethodHandle;")),
                "nested",
                ConstantDescs.CD_MethodHandle,
                handle);
        MethodTypeDesc type = MethodTypeDesc.of(ConstantDescs.CD_MethodHandle);
        byte[] bytes = ClassFile.of()
                .build(
                        ClassDesc.of("Some"),
                        some -> some.withMethodBody(
                                        "plain",
                                        type,
                                        ClassFile.ACC_STATIC,
                                        code -> code.loadConstant(handle).areturn())
                                .withMethodBody(
                                        "nested",
                                        type,
                                        ClassFile.ACC_STATIC,
                                        code -> code.loadConstant(nested).areturn())
                                .withMethodBody(
                                        "only",
                                        MethodTypeDesc.ofDescriptor(
                                                nested.bootstrapMethod().lookupDescriptor()),
                                        ClassFile.ACC_STATIC,
                                        code -> code.aload(3).areturn()));
        Files.write(folder.resolve("Some.class"), bytes);
        Class<?> loaded = Class.forName("Some", true, rewriting());
        for (String each : List.of("plain", "nested")) {
            Method getter = loaded.getDeclaredMethod(each);
            getter.setAccessible(true);
            MethodHandleInfo found = MethodHandles.privateLookupIn(loaded, MethodHandles.lookup())
                    .revealDirect((MethodHandle) getter.invoke(null));
            assertThat(found.getDeclaringClass().getName())
                    .isEqualTo(change instanceof Redirect redirect ? name(redirect.target()) : "Some");
            assertThat(MethodHandleInfo.toString(found.getReferenceKind(), Object.class, "", found.getMethodType()))
                    .startsWith("invokeStatic")
                    .endsWith(handle.invocationType()
                            .resolveConstantDesc(MethodHandles.lookup())
                            .toString());
        }
    }

    private static DirectMethodHandleDesc handle(Change change) throws ReflectiveOperationException {
        boolean isStatic = change instanceof Redirect redirect
                ? redirect.kind() != Redirect.Kind.INSTANCE_METHOD
                : Stream.of(Class.forName(name(change.owner())).getMethods())
                        .anyMatch(method -> method.getName().equals(change.name())
                                && descriptor(method).equals(change.descriptor())
                                && Modifier.isStatic(method.getModifiers()));
        DirectMethodHandleDesc.Kind kind =
                change instanceof Redirect redirect && redirect.kind() == Redirect.Kind.STATIC_FIELD
                        ? DirectMethodHandleDesc.Kind.STATIC_GETTER
                        : change.name().equals("<init>")
                                ? DirectMethodHandleDesc.Kind.CONSTRUCTOR
                                : isStatic ? DirectMethodHandleDesc.Kind.STATIC : DirectMethodHandleDesc.Kind.VIRTUAL;
        boolean isInterface = Class.forName(name(change.owner())).isInterface();
        return MethodHandleDesc.of(
                isInterface && isStatic ? DirectMethodHandleDesc.Kind.INTERFACE_STATIC : kind,
                change.owner(),
                change.name(),
                change.descriptor());
    }

    @Test
    void methodReferencesWithPreludesRun() throws Exception {
        compile("""
                import java.net.*;
                import java.util.*;
                import java.util.function.*;

                interface Some {
                    interface Maker { URL make(String protocol, String host, int port, String file) throws Exception; }
                    interface Parser { URL make(String text) throws Exception; }
                    interface Finder { Class<?> find(String name, boolean run, ClassLoader loader) throws Exception; }

                    static int run(int what) throws Exception {
                        Consumer<String> load = System::load;
                        BiConsumer<Runtime, String> more = Runtime::load;
                        Consumer<String> bound = Runtime.getRuntime()::load;
                        Maker maker = URL::new;
                        Parser parser = URL::new;
                        Finder finder = Class::forName;
                        Function<Class<Runnable>, ServiceLoader<Runnable>> services = ServiceLoader::load;
                        int sum = 0;
                        for (Consumer<String> each : List.of(load, bound, path -> more.accept(Runtime.getRuntime(), path))) {
                            try {
                                each.accept("relative");
                            } catch (UnsatisfiedLinkError error) {
                                sum++;
                            }
                        }
                        sum += maker.make("http", "host", 80, "/ab").getPath().length() * 10;
                        sum += parser.make("file:/a").getPath().length() * 100;
                        sum += finder.find("java.lang.String", true, ClassLoader.getSystemClassLoader()) == String.class
                                ? 1000 : 0;
                        return sum + (services.apply(Runnable.class).iterator().hasNext() ? 10_000 : 0);
                    }
                }
                """);
        Class<?> rewritten = Class.forName("Some", true, rewriting());
        Method run = rewritten.getDeclaredMethod("run", int.class);
        run.setAccessible(true);
        assertThat(run.invoke(null, 0)).isEqualTo(1233);
        assertThat(rewritten.getDeclaredMethods())
                .anyMatch(method -> method.getName().startsWith("galerna$handle$"));
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
        Method run = Class.forName("Some", true, rewriting()).getDeclaredMethod("run", int.class);
        run.setAccessible(true);
        assertThat(run.invoke(null, 5)).isEqualTo(1109);
        assertThat(run.invoke(null, 3)).isEqualTo(1002);
        assertThatCode(() -> run.invoke(null, 0)).doesNotThrowAnyException();
    }

    private ClassLoader rewriting() {
        return new ClassLoader(getClass().getClassLoader()) {
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
