package org.galerna.architecture;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReference;
import java.util.HashSet;
import java.util.Set;

/** Which packages of the JDK are for everybody: those that its modules export to all, but for jdk.unsupported. */
final class SupportedApi {
    private final Set<String> inside = new HashSet<>();

    SupportedApi() {
        for (ModuleReference module : ModuleFinder.ofSystem().findAll()) {
            ModuleDescriptor descriptor = module.descriptor();
            inside.addAll(descriptor.packages());
            if (!descriptor.name().equals("jdk.unsupported")) {
                descriptor.exports().stream()
                        .filter(exported -> !exported.isQualified())
                        .forEach(exported -> inside.remove(exported.source()));
            }
        }
    }

    /** Classes of the JDK that are not for everybody. */
    DescribedPredicate<JavaClass> unsupported() {
        return DescribedPredicate.describe(
                "belong to the insides of the JDK", type -> inside.contains(type.getPackageName()));
    }
}
