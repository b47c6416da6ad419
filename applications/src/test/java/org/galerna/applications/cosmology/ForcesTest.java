package org.galerna.applications.cosmology;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import mpi.Intracomm;
import org.galerna.ranks.Ranks;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ForcesTest {
    private static final int COUNT = 400;
    /** Direct sums are slow: one in so many particles is compared. */
    private static final int STRIDE = 5;

    private static final int MESH = 32;
    private static final double SOFTENING = 1e-6;

    /** Half of the particles are in a cluster near a face of the box. */
    private static Particles particles() {
        Particles particles = new Particles();
        Random random = new Random(7);
        for (int name = 0; name < COUNT; name++) {
            double spread = Math.pow(10, -3 + 2 * random.nextDouble());
            double[] place = new double[3];
            for (int axis = 0; axis < 3; axis++) {
                place[axis] =
                        name % 2 == 0 ? random.nextDouble() : (axis == 1 ? 0.98 : 0.4) + spread * random.nextGaussian();
            }
            particles.add(name, place[0], place[1], place[2]);
        }
        return particles;
    }

    /** Name and force of each particle, one after the other. */
    private static double[] forces(Intracomm world, double opening) {
        Particles particles = world.Rank() == 0 ? particles() : new Particles();
        ForceSplit split = new ForceSplit(MESH);
        Blocks blocks = new Blocks(MESH, split.reach());
        Domains domains = new Domains(world, blocks);
        NearForces near = new NearForces(blocks, split, opening, SOFTENING, 1 / (4 * Math.PI * COUNT));
        FarForces far = new FarForces(world, split, MESH, COUNT, 1);
        domains.balance(particles);
        near.compute(domains.surroundings(particles), particles, false);
        far.add(particles);
        double[] forces = new double[4 * particles.count()];
        for (int index = 0; index < particles.count(); index++) {
            forces[4 * index] = particles.name[index];
            forces[4 * index + 1] = particles.forceX[index];
            forces[4 * index + 2] = particles.forceY[index];
            forces[4 * index + 3] = particles.forceZ[index];
        }
        return forces;
    }

    private static double[][] byName(List<double[]> parts) {
        double[][] all = new double[COUNT][];
        for (double[] part : parts) {
            for (int index = 0; index < part.length; index += 4) {
                all[(int) part[index]] = Arrays.copyOfRange(part, index + 1, index + 4);
            }
        }
        return all;
    }

    @Test
    @Tag("slow")
    void forcesAreThoseOfDirectSummationOverAllImages() {
        double[][] computed = byName(Ranks.of(1).call(world -> forces(world, 0.5)));
        Particles particles = particles();
        double[] errors = new double[COUNT / STRIDE];
        double squares = 0;
        double all = 0;
        for (int index = 0; index < COUNT; index += STRIDE) {
            double[] exact = new double[3];
            for (int other = 0; other < COUNT; other++) {
                if (other != index) {
                    Ewald.add(
                            particles.x[index] - particles.x[other],
                            particles.y[index] - particles.y[other],
                            particles.z[index] - particles.z[other],
                            1 / (4 * Math.PI * COUNT),
                            exact);
                }
            }
            double size = Math.hypot(Math.hypot(exact[0], exact[1]), exact[2]);
            double x = computed[index][0] - exact[0];
            double y = computed[index][1] - exact[1];
            double z = computed[index][2] - exact[2];
            errors[index / STRIDE] = Math.hypot(Math.hypot(x, y), z) / size;
            squares += x * x + y * y + z * z;
            all += size * size;
        }
        Arrays.sort(errors);
        assertThat(Math.sqrt(squares / all)).isLessThan(0.002);
        assertThat(errors[errors.length / 2]).isLessThan(0.002);
        assertThat(errors[errors.length * 95 / 100]).isLessThan(0.01);
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4})
    void forcesAreTheSameBitsOnAnyNumberOfRanks(int ranks) {
        double[][] expected = byName(Ranks.of(1).call(world -> forces(world, 0.6)));
        assertThat(byName(Ranks.of(ranks).call(world -> forces(world, 0.6)))).isDeepEqualTo(expected);
    }

    /** Where every pair counts by itself, each force has its opposite, but for the mesh, which is as exact as its transforms. */
    @Test
    void withoutNodesTheForcesHaveNoSum() {
        double[][] forces = byName(Ranks.of(1).call(world -> forces(world, 1e-3)));
        double sum = 0;
        double sizes = 0;
        for (double[] force : forces) {
            sum += force[0];
            sizes += Math.abs(force[0]);
        }
        assertThat(Math.abs(sum)).isLessThan(1e-9 * sizes);
    }
}
