package org.galerna.memory;

import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.MethodHandles;
import org.galerna.memory.StridedLoop.Shape;

/**
 * Writes the class of a loop whose lengths are constants. It is a hidden class without a name of its own, which goes when
 * nobody uses it any more.
 */
final class StridedLoopGenerator {
    private static final ClassDesc LOOP = StridedLoop.class.describeConstable().orElseThrow();
    private static final MethodTypeDesc COPY = MethodTypeDesc.of(
            ConstantDescs.CD_void,
            ConstantDescs.CD_Object,
            ConstantDescs.CD_int,
            ConstantDescs.CD_Object,
            ConstantDescs.CD_int,
            ConstantDescs.CD_int);

    /** Elements that one pass reads before it writes them: as many as registers hold. */
    private static final int ELEMENTS_OF_A_PASS = 8;

    private final Shape shape;
    private final ClassDesc array;
    private final TypeKind element;

    private StridedLoopGenerator(Shape shape) {
        this.shape = shape;
        this.array = shape.array().describeConstable().orElseThrow();
        this.element = TypeKind.from(shape.array().getComponentType());
    }

    static StridedLoop generate(Shape shape) {
        return new StridedLoopGenerator(shape).define();
    }

    private StridedLoop define() {
        byte[] bytes = ClassFile.of()
                .build(
                        ClassDesc.of(StridedLoop.class.getPackageName(), "GeneratedStridedLoop"),
                        type -> type.withFlags(ClassFile.ACC_FINAL | ClassFile.ACC_SYNTHETIC)
                                .withInterfaceSymbols(LOOP)
                                .withMethodBody(
                                        ConstantDescs.INIT_NAME,
                                        ConstantDescs.MTD_void,
                                        0,
                                        code -> code.aload(0)
                                                .invokespecial(
                                                        ConstantDescs.CD_Object,
                                                        ConstantDescs.INIT_NAME,
                                                        ConstantDescs.MTD_void)
                                                .return_())
                                .withMethodBody("copy", COPY, ClassFile.ACC_PUBLIC, this::body));
        try {
            MethodHandles.Lookup defined = MethodHandles.lookup().defineHiddenClass(bytes, true);
            return (StridedLoop) defined.lookupClass().getDeclaredConstructor().newInstance();
        } catch (ReflectiveOperationException impossible) {
            throw new LinkageError("the loop for " + shape, impossible);
        }
    }

    private void body(CodeBuilder code) {
        int from = code.allocateLocal(TypeKind.REFERENCE);
        int to = code.allocateLocal(TypeKind.REFERENCE);
        int run = code.allocateLocal(TypeKind.INT);
        code.aload(code.parameterSlot(0)).checkcast(array).astore(from);
        code.aload(code.parameterSlot(2)).checkcast(array).astore(to);
        code.iconst_0().istore(run);
        int together = Math.max(1, ELEMENTS_OF_A_PASS / shape.length());
        if (together > 1) {
            loop(code, from, to, run, together);
        }
        loop(code, from, to, run, 1);
        code.return_();
    }

    /** {@code for (; run < runs - (together - 1); run += together)}. */
    private void loop(CodeBuilder code, int from, int to, int run, int together) {
        Label top = code.newBoundLabel();
        Label end = code.newLabel();
        code.iload(run).iload(code.parameterSlot(4)).loadConstant(together - 1).isub();
        code.if_icmpge(end);
        int[] elements = new int[together * shape.length()];
        for (int i = 0; i < elements.length; i++) {
            elements[i] = code.allocateLocal(element);
            index(code, from, 1, run, shape.fromStride(), i);
            code.arrayLoad(element).storeLocal(element.asLoadable(), elements[i]);
        }
        for (int i = 0; i < elements.length; i++) {
            index(code, to, 3, run, shape.toStride(), i);
            code.loadLocal(element.asLoadable(), elements[i]).arrayStore(element);
        }
        code.iinc(run, together).goto_(top).labelBinding(end);
    }

    /** {@code array[start + run * stride + where element i of the pass lies]}. */
    private void index(CodeBuilder code, int memory, int start, int run, int stride, int i) {
        code.aload(memory);
        code.iload(run).loadConstant(stride).imul();
        code.iload(code.parameterSlot(start)).iadd();
        code.loadConstant(i / shape.length() * stride + i % shape.length()).iadd();
    }
}
