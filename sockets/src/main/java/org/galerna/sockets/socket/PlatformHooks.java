package org.galerna.sockets.socket;

import java.io.InputStream;
import java.io.OutputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.Label;
import java.lang.classfile.MethodModel;
import java.lang.classfile.MethodTransform;
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
import java.nio.channels.Channels;
import java.security.ProtectionDomain;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import org.galerna.sockets.channel.ChannelStreams;
import org.galerna.sockets.platform.Platform;
import org.galerna.sockets.upgrade.SocketHome;
import org.jspecify.annotations.Nullable;

/**
 * Has the platform make fast sockets where it makes its own, so that all else of it meets them as if they were: sockets
 * below a SOCKS or HTTP proxy, sockets that a subclass of {@link ServerSocket} accepts into, factories that a program sets.
 * Two methods of the platform begin with something more, and so do two that make streams of channels:
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
 *
 *  Channels.newInputStream(ReadableByteChannel channel), and newOutputStream in the same way:
 *      if (GalernaStreamMaker.in != null) {
 *          InputStream stream = (InputStream) GalernaStreamMaker.in.apply(channel);
 *          if (stream != null) {               // which it is for all channels but those of this
 *              return stream;
 *          }
 *      }
 * </pre>
 *
 * <p>The platform's classes do not see those of the agent. {@code java.net.GalernaSocketMaker} and
 * {@code java.nio.channels.GalernaStreamMaker}, which are defined here, are where they find what makes sockets and streams; and what is made is a {@link FastSocketImpl} that carries the platform's mark for
 * sockets of its own, {@code sun.net.PlatformSocketImpl}, which only a class can that is defined at run time, since nobody
 * may name that package when this is compiled.
 */
public final class PlatformHooks implements ClassFileTransformer {
    /** The packages of the platform that this needs to be open to it, besides those of {@link Platform}. */
    public static final String MARKED = "sun.net";

    public static final String CHANNELS = "java.nio.channels";

    private static final ClassDesc MAKER = ClassDesc.of("java.net.GalernaSocketMaker");
    private static final ClassDesc STREAM_MAKER = ClassDesc.of(CHANNELS + ".GalernaStreamMaker");
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
    public static void install(Instrumentation instrumentation, SocketHome sockets) {
        if (!instrumentation.isRetransformClassesSupported()) {
            throw new IllegalStateException("this Java does not let agents change classes");
        }
        PlatformHooks hooks = new PlatformHooks();
        instrumentation.addTransformer(hooks, true);
        try {
            MethodHandles.Lookup platform = MethodHandles.privateLookupIn(SocketImpl.class, MethodHandles.lookup());
            Class<?> maker = platform.defineClass(maker(MAKER, "maker"));
            MethodHandles.Lookup channels = MethodHandles.privateLookupIn(Channels.class, MethodHandles.lookup());
            Class<?> streams = channels.defineClass(maker(STREAM_MAKER, "in", "out"));
            instrumentation.retransformClasses(ServerSocket.class, SocketImpl.class, Channels.class);
            if (hooks.failure != null) {
                throw hooks.failure;
            }
            channels.findStaticVarHandle(streams, "in", Function.class)
                    .setVolatile((Function<Object, @Nullable InputStream>) ChannelStreams::input);
            channels.findStaticVarHandle(streams, "out", Function.class)
                    .setVolatile((Function<Object, @Nullable OutputStream>) ChannelStreams::output);
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

    private static byte[] maker(ClassDesc name, String... functions) {
        return ClassFile.of().build(name, type -> {
            type.withFlags(ClassFile.ACC_FINAL | ClassFile.ACC_SYNTHETIC);
            for (String function : functions) {
                type.withField(function, FUNCTION, ClassFile.ACC_STATIC | ClassFile.ACC_VOLATILE);
            }
        });
    }

    private static Function<Boolean, SocketImpl> makerOf(SocketHome sockets) throws ReflectiveOperationException {
        MethodHandles.Lookup own = MethodHandles.lookup();
        MethodHandle made = own.findConstructor(
                        own.defineClass(marked()), MethodType.methodType(void.class, SocketHome.class, boolean.class))
                .asType(MethodType.methodType(SocketImpl.class, SocketHome.class, boolean.class));
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
                MethodTypeDesc.of(ConstantDescs.CD_void, desc(SocketHome.class), ConstantDescs.CD_boolean);
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
                return changed(bytes, Map.of("createPlatformSocketImpl(Z)", PlatformHooks::make));
            }
            if (type == ServerSocket.class) {
                return changed(bytes, Map.of("platformImplAccept()", PlatformHooks::acceptPlain));
            }
            if (type == Channels.class) {
                return changed(
                        bytes,
                        Map.of(
                                "newInputStream(Ljava/nio/channels/ReadableByteChannel;)",
                                code -> stream(code, "in", InputStream.class),
                                "newOutputStream(Ljava/nio/channels/WritableByteChannel;)",
                                code -> stream(code, "out", OutputStream.class)));
            }
        } catch (RuntimeException unknown) {
            failure = unknown;
        }
        return null;
    }

    /** A class some of whose methods, given by names and parameters, begin with some more code. */
    private static byte[] changed(byte[] bytes, Map<String, Consumer<CodeBuilder>> more) {
        Set<String> found = new HashSet<>();
        ClassTransform begin = (type, element) -> {
            Consumer<CodeBuilder> first = element instanceof MethodModel method ? more.get(signature(method)) : null;
            if (first == null) {
                type.with(element);
            } else {
                MethodModel method = (MethodModel) element;
                found.add(signature(method));
                type.transformMethod(method, MethodTransform.transformingCode(new CodeTransform() {
                    @Override
                    public void atStart(CodeBuilder code) {
                        first.accept(code);
                    }

                    @Override
                    public void accept(CodeBuilder code, CodeElement part) {
                        code.with(part);
                    }
                }));
            }
        };
        ClassFile format = ClassFile.of();
        byte[] changed = format.transformClass(format.parse(bytes), begin);
        if (!found.containsAll(more.keySet())) {
            throw new IllegalStateException("this Java has no methods " + more.keySet() + " where it makes sockets");
        }
        return changed;
    }

    private static String signature(MethodModel method) {
        String type = method.methodType().stringValue();
        return method.methodName().stringValue() + type.substring(0, type.indexOf(')') + 1);
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

    private static void stream(CodeBuilder code, String function, Class<?> made) {
        Label without = code.newLabel();
        Label platform = code.newLabel();
        int channel = 0;
        code.getstatic(STREAM_MAKER, function, FUNCTION)
                .ifnull(without)
                .getstatic(STREAM_MAKER, function, FUNCTION)
                .aload(channel)
                .invokeinterface(FUNCTION, "apply", MethodTypeDesc.of(ConstantDescs.CD_Object, ConstantDescs.CD_Object))
                .checkcast(desc(made))
                .dup()
                .ifnull(platform)
                .areturn()
                .labelBinding(platform)
                .pop()
                .labelBinding(without);
    }
}
