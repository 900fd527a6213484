import type { SealedBooks } from '../books/sealed-books.js'
import type { Store } from '../database/store.js'
import { makeFolder } from '../files/files.js'
import { databasePath, holdsDatabase, makeDatabaseFile } from './database-file.js'
import { explainSqliteError } from './sqlite-errors.js'
import { SqliteStore } from './sqlite-store.js'

/**
 * Opens the store of an environment in its file. The file, its folder and the home's key are made on first
 * use. `expectNew` throws if the file is known to have existed.
 */
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
    // A missing key beside a database was lost; a new key could not decrypt the stored values.
    if (!environments.some((each) => holdsDatabase(databasePath(home, each)))) first.makeKey()
    makeDatabaseFile(place, () => first.expectNew())
  } catch (error) {
    throw explainSqliteError(error, place)
  }
  return { store: new SqliteStore(place, books), place }
}
