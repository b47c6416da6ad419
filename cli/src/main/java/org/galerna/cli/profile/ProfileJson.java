package org.galerna.cli.profile;

import java.util.Arrays;
import java.util.List;
import org.galerna.profile.CallKind;
import org.galerna.profile.analysis.Profile;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** A profile as JSON: the names are those of the components of {@link Profile}. */
final class ProfileJson {
    private static final JsonMapper MAPPER =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

    private ProfileJson() {}

    private record Document(String program, List<String> kinds, Profile profile) {}

    static String of(String program, Profile profile) {
        List<String> kinds =
                Arrays.stream(CallKind.values()).map(CallKind::word).toList();
        return MAPPER.writeValueAsString(new Document(program, kinds, profile)) + "\n";
    }
}
