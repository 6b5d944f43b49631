package dev.joblock.jdbc;

import dev.joblock.JobLock;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.Objects;
import java.util.regex.Pattern;

/**
 * Keeps a run that was overtaken from writing to a database.
 *
 * <p>A lease cannot stop a process that stands still (a long garbage collection, a suspended machine): when it goes on, its
 * lease is over, another node has run, and its next write would come too late. It helps to ask the database. One row for each
 * lock name keeps the highest fencing token that has written; {@link #check} raises it or refuses, by one guarded update:
 *
 * <pre>{@code
 * update joblock_fence set token = ? where lock_name = ? and token <= ?
 * }</pre>
 *
 * <p>It runs in the transaction of the write and comes first. The row stays locked until that transaction ends: whoever has an
 * older token waits and is then refused, whoever has a newer one waits and then goes on. A write that was refused leaves
 * nothing behind once its transaction is rolled back.
 *
 * <pre>{@code
 * connection.setAutoCommit(false);
 * fence.check(connection, lock);
 * // the writes of the job
 * connection.commit();
 * }</pre>
 *
 * <p>It helps where all writes of a job go to one database in transactions, and where each of them is checked. It does not help
 * for mails that are sent, or for files. It is needed only for work that must not be written over by a run that came back late;
 * for the rest {@link JobLock#ensureHeld()} before the write is enough.
 *
 * <p>The table, see {@link #createTable()}, is made by whoever makes the schema:
 *
 * <pre>{@code
 * create table joblock_fence (lock_name varchar(255) not null primary key, token bigint not null)
 * }</pre>
 *
 * <p>Names are compared as the database compares them, so give the column a collation that tells capitals apart. Applications
 * that do not share their Redis and its prefix need a table each, since their tokens do not go by one count. If Redis is
 * replaced by one whose clock is behind, tokens are refused until it has caught up: delete the rows then. Runs best in {@code
 * READ COMMITTED}; in stricter isolation the database itself refuses the overtaken transaction with an error of its own.
 * Tested on H2 and PostgreSQL; asks for nothing but savepoints and standard SQL.
 *
 * <p>Immutable and thread-safe; connections are the caller's, and are neither kept, committed nor closed.
 */
public final class SqlFence {

    /** The name of the table, unless another one is given. */
    public static final String DEFAULT_TABLE = "joblock_fence";

    private static final Pattern TABLE =
            Pattern.compile("[A-Za-z_][A-Za-z0-9_$]{0,127}(\\.[A-Za-z_][A-Za-z0-9_$]{0,127}){0,2}");
    private static final int LONGEST_NAME = 255;
    private static final int ROUNDS = 3;

    private final String table;

    /** A fence on the table {@value #DEFAULT_TABLE}. */
    public SqlFence() {
        this(DEFAULT_TABLE);
    }

    /**
     * A fence on a table of another name.
     *
     * @param table the table, with its schema and catalog in front if need be: letters, digits, {@code _} and {@code $}, since it
     *     becomes a part of SQL as it is
     * @throws IllegalArgumentException if it is no such name
     */
    public SqlFence(String table) {
        if (!TABLE.matcher(table).matches()) {
            throw new IllegalArgumentException("The fence table '" + table
                    + "' must read name, schema.name or catalog.schema.name, of letters, digits, _ and $");
        }
        this.table = table;
    }

    /**
     * The statement that makes the table.
     *
     * @return standard SQL; Oracle has {@code number(19)} in place of {@code bigint}
     */
    public String createTable() {
        return "create table " + table + " (lock_name varchar(255) not null primary key, token bigint not null)";
    }

    /**
     * Refuses the transaction of a run that was overtaken.
     *
     * @param connection the connection that the job writes by, in a transaction
     * @param lock the lease under which the job runs
     * @throws StaleTokenException if a later run of the lock name has written
     * @throws IllegalStateException if the connection commits by itself
     * @throws SQLException if the database could not be asked; nothing may be written then
     */
    public void check(Connection connection, JobLock lock) throws SQLException {
        check(connection, lock.lockName(), lock.fencingToken());
    }

    /**
     * Refuses the transaction of a run that was overtaken.
     *
     * @param connection the connection that the job writes by, in a transaction
     * @param lockName the lock's name, 255 characters at most
     * @param token the fencing token of the run
     * @throws StaleTokenException if a later run of the lock name has written
     * @throws IllegalStateException if the connection commits by itself
     * @throws IllegalArgumentException if the name is too long or empty, or the token not positive
     * @throws SQLException if the database could not be asked; nothing may be written then
     */
    public void check(Connection connection, String lockName, long token) throws SQLException {
        requireArguments(lockName, token);
        if (connection.getAutoCommit()) {
            throw new IllegalStateException("The fence of lock '" + lockName
                    + "' was checked on a connection that commits by itself, so that its writes are not a part of the check;"
                    + " begin a transaction first");
        }
        for (int round = 0; round < ROUNDS; round++) {
            if (raise(connection, lockName, token)) {
                return;
            }
            long newest = newest(connection, lockName);
            if (newest > token) {
                throw new StaleTokenException(lockName, token, newest, table);
            }
            if (newest == 0 && insert(connection, lockName, token)) {
                return;
            }
        }
        throw new SQLException("The row of lock '" + lockName + "' in '" + table
                + "' is written by another transaction that this one does not see; use READ COMMITTED, or try again in a new"
                + " transaction");
    }

    private boolean raise(Connection connection, String lockName, long token) throws SQLException {
        String sql = "update " + table + " set token = ? where lock_name = ? and token <= ?";
        try (PreparedStatement update = connection.prepareStatement(sql)) {
            update.setLong(1, token);
            update.setString(2, lockName);
            update.setLong(3, token);
            return update.executeUpdate() > 0;
        }
    }

    /** The highest token that has written, 0 if none has. */
    private long newest(Connection connection, String lockName) throws SQLException {
        String sql = "select token from " + table + " where lock_name = ?";
        try (PreparedStatement select = connection.prepareStatement(sql)) {
            select.setString(1, lockName);
            try (ResultSet row = select.executeQuery()) {
                return row.next() ? row.getLong(1) : 0;
            }
        }
    }

    /** The first of all writes under this name; false if another transaction has come first. */
    private boolean insert(Connection connection, String lockName, long token) throws SQLException {
        // Some databases end a transaction at its first error: what was done before must be kept.
        Savepoint before = connection.setSavepoint();
        String sql = "insert into " + table + " (lock_name, token) values (?, ?)";
        try (PreparedStatement insert = connection.prepareStatement(sql)) {
            insert.setString(1, lockName);
            insert.setLong(2, token);
            insert.executeUpdate();
            return true;
        } catch (SQLException e) {
            if (!isDuplicate(e)) {
                throw e;
            }
            connection.rollback(before);
            return false;
        }
    }

    /** SQL's class of integrity violations; the only one that can be met here is that of the key. */
    private static boolean isDuplicate(SQLException e) {
        String state = Objects.toString(e.getSQLState(), "");
        return state.startsWith("23");
    }

    private static void requireArguments(String lockName, long token) {
        if (lockName.isEmpty() || lockName.length() > LONGEST_NAME) {
            throw new IllegalArgumentException("The lock name '" + lockName + "' has " + lockName.length()
                    + " characters, but the fence keeps 1 to " + LONGEST_NAME + "; give the job a shorter lock name");
        }
        if (token <= 0) {
            throw new IllegalArgumentException("The fencing token " + token + " of lock '" + lockName
                    + "' must be positive; take it from the JobLock");
        }
    }
}
