import type { StoreOptions } from '../engine/store/open-store.js'
import { changeKeyFile, keyFilePath, readKeyFile } from '../engine/store/vault/key-file.js'
import { withoutKey } from '../engine/store/vault/keyring.js'
import { findUnderOlderKey, sealedColumns } from '../engine/store/vault/sealed-columns.js'
import { withExistingStores } from './existing-stores.js'
import { InstallationError } from './installation-error.js'
import { type RecordedBackup, recordedBackups } from './recorded-backups.js'

export type ForgetOptions = Omit<StoreOptions, 'environment'>

/**
 * Recorded backups that cannot be decrypted without a key. Throws an `InstallationError` for a key that
 * cannot be removed.
 */
export async function backupsUnder({ home }: ForgetOptions, key: string): Promise<readonly RecordedBackup[]> {
  const { seal, current, next } = readKeyFile(keyFilePath(home))
  if (!seal.has(key))
    throw new InstallationError(`There is no key ${key}; there are ${[...seal.keys()].join(', ')}.`, {
      problem: 'not_found',
    })
  if (key === current)
    throw new InstallationError(`Everything is sealed under ${key}; run payctl vault rotate first.`)
  if (next !== undefined)
    throw new InstallationError('A rotation is not finished; run payctl vault rotate first.')
  return (await recordedBackups(home)).filter(({ keys }) => keys.includes(key))
}

/**
 * Removes a retired key from the key file. Throws an `InstallationError` while a database has values
 * encrypted with it.
 */
export async function forgetKey(options: ForgetOptions, key: string): Promise<void> {
  await withExistingStores(options, async (stores) => {
    if (stores.length === 0) throw new InstallationError(`There is no database in ${options.home}.`)
    const path = keyFilePath(options.home)
    const keyring = readKeyFile(path)
    for (const { environment, store } of stores) {
      const left = await store.read(async (tx) => await findUnderOlderKey(tx, keyring, sealedColumns()))
      if (left)
        throw new InstallationError(
          `${left.table}.${left.name} of ${environment} is still under an older key; run payctl vault rotate first.`,
        )
    }
    for (const { store } of stores)
      await store.write(({ db }) => db.deleteFrom('vault_keys').where('id', '=', key).execute())
    changeKeyFile(path, (keys) => {
      if (keys.current === key || keys.next !== undefined)
        throw new InstallationError('A rotation of the keys has begun; nothing was forgotten.')
      return withoutKey(keys, key)
    })
  })
}
