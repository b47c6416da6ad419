package org.galerna.link.threads;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class MeetingsTest {
    private final Meetings meetings = new Meetings();

    @Test
    void thoseWhoAskWithOneKeyGetOneObject() {
        Object first = meetings.join(0, "a", 2, Object::new);
        Object other = meetings.join(0, "b", 2, Object::new);
        assertThat(meetings.join(1, "a", 2, Object::new)).isSameAs(first).isNotSameAs(other);
        assertThat(meetings.join(1, "b", 2, Object::new)).isSameAs(other);
    }

    @Test
    void theNthCallMeetsTheNthCalls() {
        Object first = meetings.join(0, "a", 3, Object::new);
        Object second = meetings.join(0, "a", 3, Object::new);
        assertThat(second).isNotSameAs(first);
        assertThat(meetings.join(2, "a", 3, Object::new)).isSameAs(first);
        assertThat(meetings.join(1, "a", 3, Object::new)).isSameAs(first);
        assertThat(meetings.join(1, "a", 3, Object::new)).isSameAs(second);
        assertThat(meetings.join(2, "a", 3, Object::new)).isSameAs(second);
    }

    @Test
    void whatAllHaveIsForgotten() {
        meetings.join(0, "a", 2, Object::new);
        assertThat(meetings.unfinished()).isEqualTo(1);
        meetings.join(1, "a", 2, Object::new);
        assertThat(meetings.unfinished()).isZero();
    }
}
