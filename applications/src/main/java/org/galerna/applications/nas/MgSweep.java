package org.galerna.applications.nas;

import org.galerna.applications.team.Team;

/**
 * A residual that is used while it is in the cache: each plane of it is computed just before the operation that follows needs
 * it, and is then forgotten. A grid is read and written half as often as with one pass after the other.
 *
 * <p>The planes of the residual at the ends of a thread's share are computed before all others, and exchanged: the smoother
 * changes the field that they come from. Where a share has one plane only, or where rows are cut in y, one pass follows the
 * other.
 */
final class MgSweep {
    private final Team.Member member;
    private final MgStencils stencils;
    private final MgGrid u;
    private final MgGrid v;
    private final MgGrid r;

    /**
     * A sweep with {@code r = v - A u}.
     *
     * @param r may be {@code v}; what it has afterwards means nothing
     */
    MgSweep(Team.Member member, MgStencils stencils, MgGrid u, MgGrid v, MgGrid r) {
        this.member = member;
        this.stencils = stencils;
        this.u = u;
        this.v = v;
        this.r = r;
    }

    private boolean isFused() {
        return u.hasWholePlanes() && u.depth() >= 2 * member.threads();
    }

    private void residual(int z, double[][] target) {
        stencils.residual(u, v.plane(z), target, z);
        MgGrid.closePlane(target);
    }

    /** {@code u = u + S r}, with the ghost points. */
    void smooth() {
        int first = 1 + member.from(u.depth());
        int last = member.to(u.depth());
        if (!isFused()) {
            stencils.residual(u, v, r, first, last + 1);
            r.exchangeRows(member);
            stencils.smooth(r, u, first, last + 1);
            u.exchangeRows(member);
            return;
        }
        residual(first, r.plane(first));
        residual(last, r.plane(last));
        r.exchangePlanes(member);
        double[][][] ring = stencils.ring(u.width());
        double[][] below = r.plane(first - 1);
        double[][] here = r.plane(first);
        for (int z = first; z <= last; z++) {
            double[][] above = z + 1 < last ? ring[z % ring.length] : r.plane(z + 1);
            if (z + 1 < last) {
                residual(z + 1, above);
            }
            stencils.smooth(below, here, above, u.plane(z), u.width());
            MgGrid.closePlane(u.plane(z));
            below = here;
            here = above;
        }
        u.exchangePlanes(member);
    }

    /** Restricts the residual to a coarser grid, with the ghost points. */
    void restrict(MgGrid coarse) {
        int first = 1 + member.from(coarse.depth());
        int end = 1 + member.to(coarse.depth());
        if (!isFused()) {
            stencils.residual(u, v, r, 1 + member.from(u.depth()), 1 + member.to(u.depth()));
            r.exchangeRows(member);
            stencils.restrict(r, coarse, first, end);
            coarse.exchangeRows(member);
            return;
        }
        int bottom = 2 * first - 1;
        residual(bottom, r.plane(bottom));
        r.exchangePlanes(member);
        double[][][] ring = stencils.ring(u.width());
        double[][] below = r.plane(bottom);
        for (int z = first; z < end; z++) {
            double[][] here = ring[0];
            residual(2 * z, here);
            double[][] above = z + 1 == end ? r.plane(2 * z + 1) : ring[1 + z % 2];
            if (z + 1 < end) {
                residual(2 * z + 1, above);
            }
            stencils.restrict(below, here, above, coarse.plane(z), coarse.width());
            below = above;
        }
        coarse.exchangeRows(member);
    }
}
