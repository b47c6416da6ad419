package org.galerna.launch.program;

import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;

/**
 * A static method that is called in place of another method, or in place of the read of a field. It has the name of what
 * it replaces.
 *
 * @param target the class with the method that is called
 * @param owner the class with the method or field that the program refers to
 * @param descriptor of the method or field that the program refers to
 */
record Redirect(ClassDesc target, Kind kind, ClassDesc owner, String name, String descriptor) implements Change {
    /** What the program refers to. */
    enum Kind {
        STATIC_METHOD,
        INSTANCE_METHOD,
        STATIC_FIELD
    }

    static Redirect ofStatic(
            ClassDesc target, ClassDesc owner, String name, ClassDesc returned, ClassDesc... parameters) {
        return new Redirect(
                target,
                Kind.STATIC_METHOD,
                owner,
                name,
                MethodTypeDesc.of(returned, parameters).descriptorString());
    }

    static Redirect ofInstance(
            ClassDesc target, ClassDesc owner, String name, ClassDesc returned, ClassDesc... parameters) {
        return new Redirect(
                target,
                Kind.INSTANCE_METHOD,
                owner,
                name,
                MethodTypeDesc.of(returned, parameters).descriptorString());
    }

    static Redirect ofField(ClassDesc target, ClassDesc owner, String name, ClassDesc type) {
        return new Redirect(target, Kind.STATIC_FIELD, owner, name, type.descriptorString());
    }

    /** The receiver of an instance method becomes the first argument. */
    MethodTypeDesc targetType() {
        return switch (kind) {
            case STATIC_METHOD -> MethodTypeDesc.ofDescriptor(descriptor);
            case INSTANCE_METHOD -> MethodTypeDesc.ofDescriptor(descriptor).insertParameterTypes(0, owner);
            case STATIC_FIELD -> MethodTypeDesc.of(ClassDesc.ofDescriptor(descriptor));
        };
    }
}
