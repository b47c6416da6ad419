/** As a user's tests would be, outside of the packages of Galerna. */
package example.junit;
