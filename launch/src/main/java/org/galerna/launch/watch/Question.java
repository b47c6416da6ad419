package org.galerna.launch.watch;

/**
 * What processes are asked about standing still. Rounds are numbered from 0; the first is not asked for.
 *
 * @param round an answer carries this number
 * @param fresh the latest round that time begins anew with: standing still before it does not count. Below 0 if that is the first
 *     round of another one that asks
 */
public record Question(long round, long fresh) {
    /** Before anything is asked. */
    public static final Question FIRST = new Question(0, 0);

    /**
     * The question of the next round.
     *
     * @param afresh whether standing still before it does not count
     */
    public Question next(boolean afresh) {
        return with(round + 1, afresh);
    }

    /** The first question of another one that asks: its rounds begin with 0 again, and so does time. */
    public Question ofAnother() {
        return new Question(0, Math.min(0, fresh) - 1);
    }

    /** Whether standing still before this question does not count. */
    public boolean isFresh() {
        return round == fresh;
    }

    /** Whether this is asked since all have said already that they stand still: now each has to be sure of it. */
    public boolean confirms() {
        return round > Math.max(0, fresh);
    }

    /** The question of a later round, as it is after this one. */
    public Question with(long later, boolean afresh) {
        return new Question(later, afresh ? later : fresh);
    }
}
