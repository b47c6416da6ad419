package org.galerna.sockets;

import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.Label;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.net.ServerSocket;
import java.net.SocketImpl;
import java.security.ProtectionDomain;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Has the platform make fast sockets where it makes its own, so that all else of it meets them as if they were: sockets
 * below a SOCKS or HTTP proxy, sockets that a subclass of {@link ServerSocket} accepts into, factories that a program sets.
 * Two methods of the platform begin with something more:
 *
 * <pre>
 *  SocketImpl.createPlatformSocketImpl(boolean server):
 *      if (GalernaSocketMaker.maker != null) {
 *          return (SocketImpl) GalernaSocketMaker.maker.apply(server);
 *      }
 *
 *  ServerSocket.platformImplAccept():
 *      if (impl instanceof NioSocketImpl) {    // was there before, and accepts into its own kind only
 *          SocketImpl accepted = new NioSocketImpl(false);
 *          implAccept(accepted);
 *          return accepted;
 *      }
 * </pre>
 *
 * <p>The platform's classes do not see those of the agent. {@code java.net.GalernaSocketMaker}, which is defined here, is
 * where they find what makes sockets; and what is made is a {@link FastSocketImpl} that carries the platform's mark for
 * sockets of its own, {@code sun.net.PlatformSocketImpl}, which only a class can that is defined at run time, since nobody
 * may name that package when this is compiled.
 */
final class PlatformHooks implements ClassFileTransformer {
    /** The packages of the platform that this needs to be open to it, besides those of {@link Platform}. */
    static final String MARKED = "sun.net";

    private static final ClassDesc MAKER = ClassDesc.of("java.net.GalernaSocketMaker");
    private static final ClassDesc FUNCTION = desc(Function.class);
    private static final ClassDesc LISTENER = desc(ServerSocket.class);
    private static final ClassDesc IMPLEMENTATION = desc(SocketImpl.class);
    private static final ClassDesc PLAIN = ClassDesc.of(Platform.IMPLEMENTATION);
    private static final MethodTypeDesc ACCEPT = MethodTypeDesc.of(ConstantDescs.CD_void, IMPLEMENTATION);
    private static final MethodTypeDesc ONE_FLAG = MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_boolean);

    private @Nullable RuntimeException failure; // what a transformer throws is thrown away

    private PlatformHooks() {}

    /**
     * Changes the methods, for all sockets that are made from now on.
     *
     * @throws IllegalStateException if this platform cannot be changed so; its sockets are then what they were
     */
    static void install(Instrumentation instrumentation, FastSockets sockets) {
        if (!instrumentation.isRetransformClassesSupported()) {
            throw new IllegalStateException("this Java does not let agents change classes");
        }
        PlatformHooks hooks = new PlatformHooks();
        instrumentation.addTransformer(hooks, true);
        try {
            MethodHandles.Lookup platform = MethodHandles.privateLookupIn(SocketImpl.class, MethodHandles.lookup());
            Class<?> maker = platform.defineClass(maker());
            instrumentation.retransformClasses(ServerSocket.class, SocketImpl.class);
            if (hooks.failure != null) {
                throw hooks.failure;
            }
            // last, so that sockets are made by all of this or by none of it
            platform.findStaticVarHandle(maker, "maker", Function.class).setVolatile(makerOf(sockets));
        } catch (ReflectiveOperationException | UnmodifiableClassException | LinkageError | RuntimeException cannot) {
            throw new IllegalStateException(cannot);
        } finally {
            instrumentation.removeTransformer(hooks);
        }
    }

    private static ClassDesc desc(Class<?> type) {
        return ClassDesc.ofDescriptor(type.descriptorString());
    }

    private static byte[] maker() {
        return ClassFile.of()
                .build(
                        MAKER,
                        type -> type.withFlags(ClassFile.ACC_FINAL | ClassFile.ACC_SYNTHETIC)
                                .withField("maker", FUNCTION, ClassFile.ACC_STATIC | ClassFile.ACC_VOLATILE));
    }

    private static Function<Boolean, SocketImpl> makerOf(FastSockets sockets) throws ReflectiveOperationException {
        MethodHandles.Lookup own = MethodHandles.lookup();
        MethodHandle made = own.findConstructor(
                        own.defineClass(marked()), MethodType.methodType(void.class, FastSockets.class, boolean.class))
                .asType(MethodType.methodType(SocketImpl.class, FastSockets.class, boolean.class));
        return listener -> {
            try {
                return (SocketImpl) made.invokeExact(sockets, (boolean) listener);
            } catch (RuntimeException | Error failed) {
                throw failed;
            } catch (Throwable undeclared) {
                throw new IllegalStateException(undeclared);
            }
        };
    }

    /** The class of what is made. */
    private static byte[] marked() {
        ClassDesc fast = desc(FastSocketImpl.class);
        MethodTypeDesc constructor =
                MethodTypeDesc.of(ConstantDescs.CD_void, desc(FastSockets.class), ConstantDescs.CD_boolean);
        return ClassFile.of()
                .build(
                        fast.nested("OfPlatform"),
                        type -> type.withFlags(ClassFile.ACC_FINAL | ClassFile.ACC_SYNTHETIC)
                                .withSuperclass(fast)
                                .withInterfaceSymbols(ClassDesc.of(MARKED + ".PlatformSocketImpl"))
                                .withMethodBody(
                                        ConstantDescs.INIT_NAME,
                                        constructor,
                                        0,
                                        code -> code.aload(0)
                                                .aload(1)
                                                .iload(2)
                                                .invokespecial(fast, ConstantDescs.INIT_NAME, constructor)
                                                .return_()));
    }

    @Override
    public byte @Nullable [] transform(
            Module module,
            @Nullable ClassLoader loader,
            String name,
            @Nullable Class<?> type,
            @Nullable ProtectionDomain domain,
            byte[] bytes) {
        try {
            if (type == SocketImpl.class) {
                return changed(bytes, "createPlatformSocketImpl", PlatformHooks::make);
            }
            if (type == ServerSocket.class) {
                return changed(bytes, "platformImplAccept", PlatformHooks::acceptPlain);
            }
        } catch (RuntimeException unknown) {
            failure = unknown;
        }
        return null;
    }

    /** A class whose method of that name begins with some more code. */
    private static byte[] changed(byte[] bytes, String method, Consumer<CodeBuilder> more) {
        ClassFile format = ClassFile.of();
        boolean[] found = new boolean[1];
        byte[] changed = format.transformClass(
                format.parse(bytes),
                ClassTransform.transformingMethodBodies(
                        model -> model.methodName().equalsString(method), new CodeTransform() {
                            @Override
                            public void atStart(CodeBuilder code) {
                                found[0] = true;
                                more.accept(code);
                            }

                            @Override
                            public void accept(CodeBuilder code, CodeElement element) {
                                code.with(element);
                            }
                        }));
        if (!found[0]) {
            throw new IllegalStateException("this Java has no method " + method + " where it makes sockets");
        }
        return changed;
    }

    private static void make(CodeBuilder code) {
        Label without = code.newLabel();
        int server = 0;
        code.getstatic(MAKER, "maker", FUNCTION)
                .ifnull(without)
                .getstatic(MAKER, "maker", FUNCTION)
                .iload(server)
                .invokestatic(
                        ConstantDescs.CD_Boolean,
                        "valueOf",
                        MethodTypeDesc.of(ConstantDescs.CD_Boolean, ConstantDescs.CD_boolean))
                .invokeinterface(FUNCTION, "apply", MethodTypeDesc.of(ConstantDescs.CD_Object, ConstantDescs.CD_Object))
                .checkcast(IMPLEMENTATION)
                .areturn()
                .labelBinding(without);
    }

    private static void acceptPlain(CodeBuilder code) {
        Label fast = code.newLabel();
        int accepted = 1;
        code.aload(0)
                .getfield(LISTENER, "impl", IMPLEMENTATION)
                .instanceOf(PLAIN)
                .ifeq(fast)
                .new_(PLAIN)
                .dup()
                .iconst_0()
                .invokespecial(PLAIN, ConstantDescs.INIT_NAME, ONE_FLAG)
                .astore(accepted)
                .aload(0)
                .aload(accepted)
                .invokevirtual(LISTENER, "implAccept", ACCEPT)
                .aload(accepted)
                .areturn()
                .labelBinding(fast);
    }
}
