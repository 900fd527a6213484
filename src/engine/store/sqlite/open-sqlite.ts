import type { SealedBooks } from '../books/sealed-books.js'
import type { Store } from '../database/store.js'
import { makeFolder } from '../files/files.js'
import { databasePath, holdsDatabase, makeDatabaseFile } from './database-file.js'
import { explainSqliteError } from './sqlite-errors.js'
import { SqliteStore } from './sqlite-store.js'

/** The store of an environment in its file; the file, its folder and the home's key are made on first use. `expectNew` throws where there was a file before. */
export function openSqlite(
  home: string,
  environment: string,
  environments: readonly string[],
  first: { makeKey(): void; expectNew(): void },
  books: SealedBooks,
): { store: Store; place: string } {
  const place = databasePath(home, environment)
  try {
    makeFolder(home)
    // A key that is missing beside a database was lost; a new one could not open what the old one sealed.
    if (!environments.some((each) => holdsDatabase(databasePath(home, each)))) first.makeKey()
    makeDatabaseFile(place, () => first.expectNew())
  } catch (error) {
    throw explainSqliteError(error, place)
  }
  return { store: new SqliteStore(place, books), place }
}
