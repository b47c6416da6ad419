package org.galerna.sockets;

import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.Label;
import java.lang.classfile.MethodModel;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketImpl;
import java.net.SocketImplFactory;
import java.security.ProtectionDomain;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Three methods of the platform begin with something more, so that programs may set factories of sockets although fast ones
 * are installed:
 *
 * <pre>
 *  Socket.setSocketImplFactory, ServerSocket.setSocketFactory:
 *      if (factory is a {@link FastSocketFactory}) { factory.run(); }      // which gives way
 *
 *  ServerSocket.implAccept:
 *      if (impl is a {@link FastSocketImpl}) {     // was there before; the factory for sockets need not be ours any more
 *          SocketImpl accepted = impl.get();
 *          customImplAccept(accepted);
 *          return accepted;
 *      }
 * </pre>
 *
 * <p>Classes of the platform cannot name those of the agent, which they do not see: they ask for the name of the class, and
 * call by interfaces of their own.
 */
final class FactoryHooks implements ClassFileTransformer {
    private static final ClassDesc LISTENER = desc(ServerSocket.class);
    private static final ClassDesc IMPLEMENTATION = desc(SocketImpl.class);
    private static final ClassDesc FACTORY = desc(SocketImplFactory.class);

    private FactoryHooks() {}

    /** Changes the methods; where that is not possible, programs cannot set factories, as without. */
    static void install(Instrumentation instrumentation) {
        if (!instrumentation.isRetransformClassesSupported()) {
            return;
        }
        FactoryHooks hooks = new FactoryHooks();
        instrumentation.addTransformer(hooks, true);
        try {
            instrumentation.retransformClasses(Socket.class, ServerSocket.class);
        } catch (UnmodifiableClassException | LinkageError cannot) {
            Journal.noHooks(String.valueOf(cannot));
        } finally {
            instrumentation.removeTransformer(hooks);
        }
    }

    private static ClassDesc desc(Class<?> type) {
        return ClassDesc.ofDescriptor(type.descriptorString());
    }

    @Override
    public byte @Nullable [] transform(
            Module module,
            @Nullable ClassLoader loader,
            String name,
            @Nullable Class<?> type,
            @Nullable ProtectionDomain domain,
            byte[] bytes) {
        if (type == Socket.class) {
            return changed(bytes, "setSocketImplFactory", code -> giveWay(code, desc(Socket.class)));
        }
        if (type == ServerSocket.class) {
            byte[] once = changed(bytes, "setSocketFactory", code -> giveWay(code, LISTENER));
            return changed(once, "implAccept", FactoryHooks::accept);
        }
        return null;
    }

    /** A class whose method of that name begins with some more code; of several, the one without parameters. */
    private static byte[] changed(byte[] bytes, String method, Consumer<CodeBuilder> more) {
        ClassFile format = ClassFile.of();
        return format.transformClass(
                format.parse(bytes),
                ClassTransform.transformingMethodBodies(model -> isNamed(model, method), new CodeTransform() {
                    @Override
                    public void atStart(CodeBuilder code) {
                        more.accept(code);
                    }

                    @Override
                    public void accept(CodeBuilder code, CodeElement element) {
                        code.with(element);
                    }
                }));
    }

    private static boolean isNamed(MethodModel method, String name) {
        return method.methodName().equalsString(name)
                && (method.methodTypeSymbol().parameterCount() == 0 || !name.equals("implAccept"));
    }

    private static void giveWay(CodeBuilder code, ClassDesc owner) {
        Label others = code.newLabel();
        code.getstatic(owner, "factory", FACTORY).ifnull(others);
        code.getstatic(owner, "factory", FACTORY);
        branchUnless(code, FastSocketFactory.class, others);
        ClassDesc runnable = desc(Runnable.class);
        code.getstatic(owner, "factory", FACTORY)
                .checkcast(runnable)
                .invokeinterface(runnable, "run", ConstantDescs.MTD_void)
                .labelBinding(others);
    }

    private static void accept(CodeBuilder code) {
        Label others = code.newLabel();
        code.aload(0).getfield(LISTENER, "impl", IMPLEMENTATION);
        branchUnless(code, FastSocketImpl.class, others);
        ClassDesc supplier = desc(Supplier.class);
        int accepted = 1;
        code.aload(0)
                .getfield(LISTENER, "impl", IMPLEMENTATION)
                .checkcast(supplier)
                .invokeinterface(supplier, "get", MethodTypeDesc.of(ConstantDescs.CD_Object))
                .checkcast(IMPLEMENTATION)
                .astore(accepted)
                .aload(0)
                .aload(accepted)
                .invokevirtual(LISTENER, "customImplAccept", MethodTypeDesc.of(ConstantDescs.CD_void, IMPLEMENTATION))
                .aload(accepted)
                .areturn()
                .labelBinding(others);
    }

    /** Goes on elsewhere unless the object on the stack is of the class. */
    private static void branchUnless(CodeBuilder code, Class<?> type, Label elsewhere) {
        code.invokevirtual(ConstantDescs.CD_Object, "getClass", MethodTypeDesc.of(ConstantDescs.CD_Class))
                .invokevirtual(ConstantDescs.CD_Class, "getName", MethodTypeDesc.of(ConstantDescs.CD_String))
                .ldc(type.getName())
                .invokevirtual(
                        ConstantDescs.CD_String,
                        "equals",
                        MethodTypeDesc.of(ConstantDescs.CD_boolean, ConstantDescs.CD_Object))
                .ifeq(elsewhere);
    }
}
