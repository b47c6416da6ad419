package org.galerna.collectives.team;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.galerna.collectives.team.TeamShape.Groups;
import org.junit.jupiter.api.Test;

class TeamShapeTest {
    @Test
    void twoAreEqualIfTheyAreInAllParts() {
        TeamShape shape = new TeamShape(8, false, Groups.HOSTS, 2);
        assertThat(shape)
                .isEqualTo(new TeamShape(8, false, Groups.HOSTS, 2))
                .hasSameHashCodeAs(new TeamShape(8, false, Groups.HOSTS, 2));
        assertThat(List.of(
                        new TeamShape(9, false, Groups.HOSTS, 2),
                        new TeamShape(8, true, Groups.HOSTS, 2),
                        new TeamShape(8, false, Groups.HEAPS, 2),
                        new TeamShape(8, false, Groups.HOSTS, 4)))
                .doesNotContain(shape);
    }
}
