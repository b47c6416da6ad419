package org.galerna.cli.profile;

import java.util.Arrays;
import java.util.List;
import org.galerna.bench.report.JsonFile;
import org.galerna.profile.CallKind;
import org.galerna.profile.analysis.Profile;

/** A profile as JSON: the names are those of the components of {@link Profile}. */
final class ProfileJson {
    private ProfileJson() {}

    private record Document(String program, List<String> kinds, Profile profile) {}

    static String of(String program, Profile profile) {
        List<String> kinds =
                Arrays.stream(CallKind.values()).map(CallKind::word).toList();
        return JsonFile.of(new Document(program, kinds, profile));
    }
}
