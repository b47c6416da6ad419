package mpi;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.util.Arrays;
import org.galerna.harness.Ranks;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReductionsTest {
    private static final String[] ARITHMETIC = {"MAX", "MIN", "SUM", "PROD"};
    private static final String[] BITWISE = {"BAND", "BOR", "BXOR", "LAND", "LOR", "LXOR"};
    private static final String[] INTEGERS = {"BYTE", "CHAR", "SHORT", "INT", "LONG"};

    private static Op op(String name) throws ReflectiveOperationException {
        return (Op) MPI.class.getField(name).get(null);
    }

    private static Datatype type(String name) throws ReflectiveOperationException {
        return (Datatype) MPI.class.getField(name).get(null);
    }

    private static long value(int rank, int index) {
        return (rank * 7L + index * 3L) % 5 - (index % 2);
    }

    /** Values whose sums and products are exact whatever the order, and which have no zero, which has a sign. */
    private static long floatingValue(int rank, int index) {
        return rank < 8 && (index + rank) % 3 == 0 ? 2 : (index + rank) % 2 == 0 ? 1 : -1;
    }

    private static Object vector(String type, int rank, int length) {
        Object vector = switch (type) {
            case "BYTE" -> new byte[length];
            case "CHAR" -> new char[length];
            case "SHORT" -> new short[length];
            case "INT" -> new int[length];
            case "LONG" -> new long[length];
            case "FLOAT" -> new float[length];
            case "DOUBLE" -> new double[length];
            default -> new boolean[length];
        };
        for (int i = 0; i < length; i++) {
            boolean floating = type.equals("FLOAT") || type.equals("DOUBLE");
            set(vector, i, floating ? floatingValue(rank, i) : value(rank, i));
        }
        return vector;
    }

    private static void set(Object vector, int index, long value) {
        switch (vector) {
            case byte[] array -> array[index] = (byte) value;
            case char[] array -> array[index] = (char) value;
            case short[] array -> array[index] = (short) value;
            case int[] array -> array[index] = (int) value;
            case long[] array -> array[index] = value;
            case float[] array -> array[index] = value;
            case double[] array -> array[index] = value;
            case boolean[] array -> array[index] = value > 0;
            default -> throw new AssertionError();
        }
    }

    private static long get(Object vector, int index) {
        return switch (vector) {
            case byte[] array -> array[index];
            case char[] array -> array[index];
            case short[] array -> array[index];
            case int[] array -> array[index];
            case long[] array -> array[index];
            case float[] array -> (long) array[index];
            case double[] array -> (long) array[index];
            case boolean[] array -> array[index] ? 1 : 0;
            default -> throw new AssertionError();
        };
    }

    private static long combine(String op, long a, long b) {
        return switch (op) {
            case "MAX" -> Math.max(a, b);
            case "MIN" -> Math.min(a, b);
            case "SUM" -> a + b;
            case "PROD" -> a * b;
            case "BAND" -> a & b;
            case "BOR" -> a | b;
            case "BXOR" -> a ^ b;
            case "LAND" -> a != 0 && b != 0 ? 1 : 0;
            case "LOR" -> a != 0 || b != 0 ? 1 : 0;
            default -> (a != 0) != (b != 0) ? 1 : 0;
        };
    }

    /** The combination of the ranks {@code 0} to {@code last}. */
    private static Object expected(String type, String op, int last, int length) {
        Object result = vector(type, 0, length);
        for (int rank = 1; rank <= last; rank++) {
            Object next = vector(type, rank, length);
            for (int i = 0; i < length; i++) {
                set(result, i, combine(op, get(result, i), get(next, i)));
            }
        }
        if (op.startsWith("L") && last == 0) {
            return vector(type, 0, length);
        }
        return result;
    }

    private static void check(String type, String op, int rank, int size) throws ReflectiveOperationException {
        Intracomm world = MPI.COMM_WORLD;
        Datatype datatype = type(type);
        Op operation = op(op);
        for (int length : new int[] {0, 1, 6, 1000}) {
            String what = op + " of " + length + " " + type;
            Object mine = vector(type, rank, length);
            Object all = expected(type, op, size - 1, length);

            Object result = vector(type, 99, length);
            world.Allreduce(mine, 0, result, 0, length, datatype, operation);
            assertThat(result).as("Allreduce " + what).isEqualTo(all);

            int root = length % size;
            result = vector(type, 99, length);
            world.Reduce(mine, 0, rank == root ? result : null, 0, length, datatype, operation, root);
            assertThat(result).as("Reduce " + what).isEqualTo(rank == root ? all : vector(type, 99, length));

            result = vector(type, 99, length);
            world.Scan(mine, 0, result, 0, length, datatype, operation);
            assertThat(result).as("Scan " + what).isEqualTo(expected(type, op, rank, length));
            assertThat(mine).isEqualTo(vector(type, rank, length));

            // in place, as programs do it
            Object both = vector(type, rank, length);
            world.Allreduce(both, 0, both, 0, length, datatype, operation);
            assertThat(both).as("Allreduce into itself, " + what).isEqualTo(all);
        }
        int[] counts = new int[size];
        int before = 0;
        int total = 0;
        for (int each = 0; each < size; each++) {
            counts[each] = each % 3;
            before += each < rank ? counts[each] : 0;
            total += counts[each];
        }
        Object result = vector(type, 99, 5);
        Object wanted = vector(type, 99, 5);
        Object whole = expected(type, op, size - 1, total);
        for (int i = 0; i < counts[rank]; i++) {
            set(wanted, 1 + i, get(whole, before + i));
        }
        world.Reduce_scatter(vector(type, rank, total), 0, result, 1, counts, datatype, operation);
        assertThat(result).as("Reduce_scatter " + op + " of " + type).isEqualTo(wanted);
    }

    /** Types that stand for the others where there are so many ranks that trying all would take minutes. */
    private static void someOfThePredefined(int rank, int size) throws ReflectiveOperationException {
        for (String op : ARITHMETIC) {
            check("LONG", op, rank, size);
            check("DOUBLE", op, rank, size);
        }
        check("BOOLEAN", "LXOR", rank, size);
    }

    private static void predefined(int rank, int size) throws ReflectiveOperationException {
        for (String type : INTEGERS) {
            for (String op : ARITHMETIC) {
                check(type, op, rank, size);
            }
            for (String op : BITWISE) {
                check(type, op, rank, size);
            }
        }
        for (String op : ARITHMETIC) {
            check("FLOAT", op, rank, size);
            check("DOUBLE", op, rank, size);
        }
        for (String op : BITWISE) {
            check("BOOLEAN", op, rank, size);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5})
    void predefinedOperationsCombineAllTypesTheyAreDefinedFor(int ranks) {
        Ranks.run(ranks, ReductionsTest::predefined);
    }

    @Tag("slow")
    @ParameterizedTest
    @ValueSource(ints = {4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 32, 64})
    void predefinedOperationsOnManyRanks(int ranks) {
        Ranks.run(ranks, ReductionsTest::someOfThePredefined);
    }

    @Test
    void locationsOfExtremesAreFound() {
        Ranks.run(5, (rank, size) -> {
            int[] ints = {rank % 3, rank, -(rank % 3), rank};
            int[] result = new int[4];
            MPI.COMM_WORLD.Allreduce(ints, 0, result, 0, 2, MPI.INT2, MPI.MAXLOC);
            assertThat(result).containsExactly(2, 2, 0, 0);
            MPI.COMM_WORLD.Allreduce(ints, 0, result, 0, 2, MPI.INT2, MPI.MINLOC);
            assertThat(result).containsExactly(0, 0, -2, 2);
            double[] doubles = {10 - rank, rank};
            double[] least = new double[2];
            MPI.COMM_WORLD.Allreduce(doubles, 0, least, 0, 1, MPI.DOUBLE2, MPI.MINLOC);
            assertThat(least).containsExactly(6, 4);
            float[] floats = new float[2];
            MPI.COMM_WORLD.Scan(new float[] {rank % 2, rank}, 0, floats, 0, 1, MPI.FLOAT2, MPI.MAXLOC);
            assertThat(floats).containsExactly(rank == 0 ? 0 : 1, rank == 0 ? 0 : 1);
            short[] shorts = new short[2];
            MPI.COMM_WORLD.Allreduce(new short[] {4, (short) rank}, 0, shorts, 0, 1, MPI.SHORT2, MPI.MAXLOC);
            assertThat(shorts).containsExactly((short) 4, (short) 0);
            long[] longs = new long[2];
            MPI.COMM_WORLD.Allreduce(new long[] {1L << 40, rank}, 0, longs, 0, 1, MPI.LONG2, MPI.MINLOC);
            assertThat(longs).containsExactly(1L << 40, 0);
        });
    }

    /** Composition of x → a x + b modulo a prime, as pairs (a, b): associative, not commutative. */
    static final class Compose extends User_function {
        static final int PRIME = 10007;

        @Override
        public void Call(Object invec, int inoffset, Object inoutvec, int inoutoffset, int count, Datatype datatype) {
            int[] in = (int[]) invec;
            int[] inOut = (int[]) inoutvec;
            int extent = datatype.Extent();
            int second = extent - 1;
            for (int i = 0; i < count; i++) {
                int a = inoffset + i * extent;
                int b = inoutoffset + i * extent;
                // first in, then inOut
                inOut[b + second] = (inOut[b] * in[a + second] + inOut[b + second]) % PRIME;
                inOut[b] = inOut[b] * in[a] % PRIME;
            }
        }
    }

    /** What Compose gives for the ranks 0 to {@code last}. */
    private static int[] composed(int last, int item) {
        int[] result = {2 + item, 3};
        for (int rank = 1; rank <= last; rank++) {
            int a = rank + 2 + item;
            int b = 3 * rank + 3;
            result = new int[] {a * result[0] % Compose.PRIME, (a * result[1] + b) % Compose.PRIME};
        }
        return result;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 6, 9})
    void userFunctionsAreAppliedInTheOrderOfTheRanks(int ranks) {
        Ranks.run(ranks, (rank, size) -> {
            Intracomm world = MPI.COMM_WORLD;
            Op op = new Op(new Compose(), false);
            int items = 40;
            // pairs side by side, and pairs with a gap
            for (Datatype type : new Datatype[] {MPI.INT2, Datatype.Vector(2, 1, 3, MPI.INT)}) {
                int extent = type.Extent();
                int[] mine = new int[items * extent];
                for (int i = 0; i < items; i++) {
                    mine[i * extent] = rank + 2 + i;
                    mine[i * extent + extent - 1] = 3 * rank + 3;
                }
                int[] all = new int[items * extent];
                int[] prefix = new int[items * extent];
                for (int i = 0; i < items; i++) {
                    all[i * extent] = composed(size - 1, i)[0];
                    all[i * extent + extent - 1] = composed(size - 1, i)[1];
                    prefix[i * extent] = composed(rank, i)[0];
                    prefix[i * extent + extent - 1] = composed(rank, i)[1];
                }
                int[] result = new int[items * extent];
                world.Allreduce(mine, 0, result, 0, items, type, op);
                assertThat(result).as("Allreduce of " + type).isEqualTo(all);
                result = new int[items * extent];
                world.Scan(mine, 0, result, 0, items, type, op);
                assertThat(result).as("Scan of " + type).isEqualTo(prefix);
                result = new int[items * extent];
                world.Reduce(mine, 0, result, 0, items, type, op, size - 1);
                if (rank == size - 1) {
                    assertThat(result).as("Reduce of " + type).isEqualTo(all);
                }
            }
            op.free();
        });
    }

    /** Multiplies big numbers. */
    static final class Multiply extends User_function {
        @Override
        public void Call(Object invec, int inoffset, Object inoutvec, int inoutoffset, int count, Datatype datatype) {
            Object[] in = (Object[]) invec;
            Object[] inOut = (Object[]) inoutvec;
            for (int i = 0; i < count; i++) {
                inOut[inoutoffset + i] = ((BigInteger) in[inoffset + i]).multiply((BigInteger) inOut[inoutoffset + i]);
            }
        }
    }

    @Test
    void objectsAreCombinedByUserFunctions() {
        Ranks.run(4, (rank, size) -> {
            Intracomm world = MPI.COMM_WORLD;
            Op op = new Op(new Multiply(), true);
            BigInteger big = BigInteger.TEN.pow(50);
            Object[] mine = {big.add(BigInteger.valueOf(rank)), BigInteger.valueOf(rank + 1)};
            BigInteger[] all = {BigInteger.ONE, BigInteger.ONE};
            BigInteger[] prefix = {BigInteger.ONE, BigInteger.ONE};
            for (int each = 0; each < size; each++) {
                BigInteger[] theirs = {big.add(BigInteger.valueOf(each)), BigInteger.valueOf(each + 1)};
                for (int i = 0; i < 2; i++) {
                    all[i] = all[i].multiply(theirs[i]);
                    prefix[i] = each <= rank ? prefix[i].multiply(theirs[i]) : prefix[i];
                }
            }
            Object[] result = new Object[3];
            world.Allreduce(mine, 0, result, 1, 2, MPI.OBJECT, op);
            assertThat(result).containsExactly(null, all[0], all[1]);
            Arrays.fill(result, null);
            world.Scan(mine, 0, result, 1, 2, MPI.OBJECT, op);
            assertThat(result).containsExactly(null, prefix[0], prefix[1]);
            Arrays.fill(result, null);
            world.Reduce(mine, 0, result, 0, 2, MPI.OBJECT, op, 2);
            assertThat(result).containsExactly(rank == 2 ? all[0] : null, rank == 2 ? all[1] : null, null);
            Arrays.fill(result, null);
            world.Reduce_scatter(mine, 0, result, 0, new int[] {0, 1, 0, 1}, MPI.OBJECT, op);
            assertThat(result[0]).isEqualTo(rank == 1 ? all[0] : rank == 3 ? all[1] : null);
        });
    }

    @Test
    void operationsCanBeAppliedLocally() {
        Ranks.run(1, (rank, size) -> {
            int[] in = {1, 2, 3};
            int[] inOut = {10, 20, 30};
            MPI.COMM_WORLD.Reduce_local(in, inOut, 3, MPI.INT, MPI.SUM);
            assertThat(inOut).containsExactly(11, 22, 33);
            boolean[] flags = {true, false};
            MPI.LXOR.Call(new boolean[] {true, true}, 0, flags, 0, 2, MPI.BOOLEAN);
            assertThat(flags).containsExactly(false, true);
            double[] strided = {1, 100, 2};
            MPI.PROD.Call(new double[] {3, 7, 4}, 0, strided, 0, 1, Datatype.Vector(2, 1, 2, MPI.DOUBLE));
            assertThat(strided).containsExactly(3, 100, 8);
            int[] pair = {5, 1};
            new Maxloc().Call(new int[] {5, 0}, 0, pair, 0, 1, MPI.INT2);
            assertThat(pair).containsExactly(5, 0);
            new Minloc().Call(new int[] {4, 9}, 0, pair, 0, 1, MPI.INT2);
            assertThat(pair).containsExactly(4, 9);
        });
    }
}
