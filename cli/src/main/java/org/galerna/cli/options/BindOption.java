package org.galerna.cli.options;

import org.galerna.cli.usage.UsageException;
import org.galerna.launch.BindTo;
import org.jspecify.annotations.Nullable;

/** The option {@code --bind-to}. */
public final class BindOption {
    private BindOption() {}

    public static BindTo parse(@Nullable String value) {
        if (value == null) {
            return BindTo.AUTO; // not a case: for that the virtual machine writes a class in each process
        }
        return switch (value) {
            case "core" -> BindTo.CORE;
            case "none" -> BindTo.NONE;
            default -> throw new UsageException("--bind-to takes core or none, not \"" + value + "\"");
        };
    }
}
