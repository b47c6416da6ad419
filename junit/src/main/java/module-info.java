/** Tests of JUnit that several ranks run. */
module org.galerna.junit {
    requires static org.jspecify;
    requires transitive org.galerna.ranks;
    requires transitive org.junit.jupiter.api;

    exports org.galerna.junit;
}
