import pg from 'pg'

/** Integers of 64 bits, and sums of them: all that are stored are exact as JavaScript numbers. */
const INT8 = 20
const NUMERIC = 1700

/** How values of PostgreSQL become those that SQLite gives as well. */
export const types = {
  getTypeParser: (oid: number, format?: 'text' | 'binary'): ((value: string) => unknown) =>
    oid === INT8 || oid === NUMERIC ? Number : pg.types.getTypeParser(oid, format),
}
