package org.galerna.cli.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.galerna.cli.usage.UsageException;
import org.galerna.link.counters.JobReport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class JobChoiceTest {
    private static final JobReport FIRST = Reports.job("12ab34cd", 2, true);
    private static final JobReport SECOND = Reports.job("12ff34cd", 3, true);
    private static final JobReport KILLED = Reports.job("77aa0000", 2, false);

    private static JobReport choose(@Nullable String wanted, JobReport... jobs) {
        return JobChoice.choose(
                List.of(jobs),
                wanted,
                process -> process == 4711
                        ? Optional.of("somebody")
                        : process == 4712 ? Optional.of(System.getProperty("user.name")) : Optional.empty());
    }

    private static void refuses(String message, @Nullable String wanted, JobReport... jobs) {
        assertThatThrownBy(() -> choose(wanted, jobs))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining(message);
    }

    @Test
    void theOnlyJobNeedNotBeNamed() {
        assertThat(choose(null, FIRST, KILLED)).isSameAs(FIRST);
        refuses("you have 2 jobs on this host, name one: 12ab34cd, 12ff34cd", null, FIRST, SECOND);
        refuses("you have no job on this host that runs", null);
        refuses("those that failed or were killed: 77aa0000", null, KILLED);
    }

    @Test
    void ofManyJobsTheFirstAreNamed() {
        JobReport[] killed = IntStream.range(0, 20)
                .mapToObj(job -> Reports.job("job-" + job, 2, false))
                .toArray(JobReport[]::new);
        refuses("job-6, job-7 and 12 more", null, killed);
    }

    @Test
    void theBeginningOfAnIdIsEnough() {
        assertThat(choose("12A", FIRST, SECOND)).isSameAs(FIRST);
        assertThat(choose("77aa0000", FIRST, KILLED)).isSameAs(KILLED);
        refuses("several of your jobs are 12...: 12ab34cd, 12ff34cd", "12", FIRST, SECOND);
        refuses("you have no job 99 on this host; \"galerna jobs\" lists them", "99", FIRST);
    }

    @Test
    void aProcessStandsForItsJob() {
        assertThat(choose("1002", SECOND)).isSameAs(SECOND);
        refuses("process 4712 is in none of your jobs", "4712", FIRST);
    }

    @Test
    void aProcessOfAnotherUserIsRefused() {
        refuses("process 4711 belongs to user somebody, and you can only look at your own jobs", "4711", FIRST);
    }
}
