package org.galerna.applications.cosmology;

import static org.assertj.core.api.Assertions.assertThat;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import javax.imageio.ImageReader;
import javax.imageio.stream.ImageInputStream;
import org.galerna.applications.ProgramRun;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The program. */
class CosmologyTest {
    private static final Pattern STATE = Pattern.compile("state +([0-9a-f]{16})");
    private static final Pattern MISSED = Pattern.compile("missed by ([0-9.]+) %");

    @TempDir
    Path folder;

    private static ProgramRun run(int ranks, String... arguments) {
        return ProgramRun.of(Cosmology.class, ranks, arguments);
    }

    private static ProgramRun smallRun(int ranks) {
        return run(ranks, "--particles 16 --box 20 --steps 5 --start 0.1 --end 0.15 --progress none".split(" ", -1));
    }

    @Test
    void allBitsOfAllParticlesAreTheSameOnSomeRanks() {
        allBitsOfAllParticlesAreTheSame(2);
    }

    @Test
    @Tag("slow")
    void allBitsOfAllParticlesAreTheSameOnAnyNumberOfRanks() {
        allBitsOfAllParticlesAreTheSame(3, 4);
    }

    private static void allBitsOfAllParticlesAreTheSame(int... numbers) {
        ProgramRun one = smallRun(1);
        assertThat(one.status()).as("%s", one).isZero();
        for (int ranks : numbers) {
            ProgramRun more = smallRun(ranks);
            assertThat(more.status()).as("%s", more).isZero();
            assertThat(more.find(STATE, 1)).isEqualTo(one.find(STATE, 1));
        }
        String first = "--particles 16 --steps 1 --end 0.03 --progress none --seed 2";
        String second = "--particles 16 --steps 1 --end 0.03 --progress none --seed 3";
        assertThat(run(1, first.split(" ", -1)).find(STATE, 1))
                .isNotEqualTo(run(1, second.split(" ", -1)).find(STATE, 1));
    }

    @Tag("slow")
    @Test
    void theEnergiesFollowTheirLawAndBetterWithMoreSteps() {
        double few = missed(6);
        double many = missed(18);
        assertThat(many).isLessThan(0.3).isLessThan(0.25 * few);
    }

    private static double missed(int steps) {
        String arguments = "--particles 16 --box 100 --start 0.1 --end 0.3 --progress none --steps " + steps;
        return run(2, arguments.split(" ", -1)).number(MISSED, 1);
    }

    @Test
    @Tag("slow")
    void manyParticlesFollowTheLawOfEnergies() {
        ProgramRun run = run(2, "--particles", "64", "--progress", "none");
        assertThat(run.status()).as("%s", run).isZero();
    }

    @Test
    void aWarmUpChangesNothing() {
        String arguments = "--particles 16 --steps 2 --start 0.1 --end 0.11 --progress none";
        String warm = arguments + " --warm-up 0.1";
        assertThat(run(2, warm.split(" ", -1)).number(MISSED, 1))
                .isEqualTo(run(2, arguments.split(" ", -1)).number(MISSED, 1));
    }

    @Test
    void picturesAndTheSpectrumAreInTheFolder() throws IOException {
        String arguments = "--particles 16 --steps 4 --start 0.1 --end 0.12 --frames 3 --output " + folder;
        ProgramRun run = run(2, arguments.split(" ", -1));
        assertThat(run.status()).as("%s", run).isZero();
        BufferedImage picture = ImageIO.read(folder.resolve("density.png").toFile());
        assertThat(picture.getWidth()).isEqualTo(Film.SIZE);
        assertThat(Stream.iterate(0, x -> x + 10)
                        .limit(60)
                        .map(x -> picture.getRGB(x, 300))
                        .distinct())
                .hasSizeGreaterThan(10);
        ImageReader reader = ImageIO.getImageReadersByFormatName("gif").next();
        try (ImageInputStream film =
                ImageIO.createImageInputStream(folder.resolve("cosmology.gif").toFile())) {
            reader.setInput(film);
            assertThat(reader.getNumImages(true)).isGreaterThanOrEqualTo(3);
        }
        assertThat(Files.readAllLines(folder.resolve("power.csv")))
                .hasSize(8)
                .allMatch(line -> line.split(",").length == 5);
    }

    @ParameterizedTest
    @MethodSource("mistakes")
    void aMistakeIsOneLine(String expected, List<String> arguments) {
        ProgramRun run = run(2, arguments.toArray(String[]::new));
        assertThat(run.status()).isEqualTo(2);
        assertThat(run.errors()).startsWith("cosmology: ").contains(expected);
        assertThat(run.output()).isEmpty();
    }

    static Stream<Arguments> mistakes() {
        return Stream.of(
                Arguments.of("--particles takes a power of two from 16 to 1024, not 48", List.of("--particles", "48")),
                Arguments.of("--steps is not understood, or lacks its value", List.of("--steps")),
                Arguments.of("--box takes a number from 1 to 100000, not wide", List.of("--box", "wide")),
                Arguments.of("--end 0.01 is not after --start 0.02", List.of("--end", "0.01")),
                Arguments.of("--frames takes a number to 5 here", List.of("--steps", "5", "--frames", "9")),
                Arguments.of("--frames needs --output FOLDER", List.of("--frames", "9")));
    }
}
