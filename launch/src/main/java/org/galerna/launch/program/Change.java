package org.galerna.launch.program;

import java.lang.constant.ClassDesc;

/** Something that becomes of a method call, or of the read of a field, in the classes of ranks. */
sealed interface Change permits Redirect, Prelude {
    /** The class that the program names. */
    ClassDesc owner();

    /** The method or field that the program names. */
    String name();

    /** Of that method or field. */
    String descriptor();

    /** The class that the program names, as it stands in a class file. */
    default String internalOwner() {
        String text = owner().descriptorString();
        return text.substring(1, text.length() - 1);
    }

    /** What tells this change from all others. */
    default String key() {
        return key(internalOwner(), name(), descriptor());
    }

    /** The key of a call or field as it stands in a class file. */
    static String key(String owner, String name, String descriptor) {
        return owner + "." + name + descriptor;
    }
}
