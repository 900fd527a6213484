import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import type { Store } from '../../src/engine/store/database/store.js'
import { openStore } from '../../src/engine/store/open-store.js'
import {
  changeKeyFile,
  keyFilePath,
  makeKeyFile,
  readKeyFile,
} from '../../src/engine/store/vault/key-file.js'
import { sealedColumns } from '../../src/engine/store/vault/sealed-columns.js'
import { openVault } from '../../src/engine/store/vault/vault.js'
import { backUp } from '../../src/installation/backup.js'
import { examine } from '../../src/installation/doctor.js'
import { backupsUnder, forgetKey } from '../../src/installation/forget-key.js'
import { rotateKeys } from '../../src/installation/rotate-keys.js'
import { systemClock } from '../../src/platform/clock.js'
import { systemRandom } from '../../src/platform/random.js'
import type { JsonObject } from '../../src/schema/json.js'
import { idOf, objectOf, openCore, type TestCore, valuesOf } from '../support/core.js'
import { type Databases, onDatabases, onSqlite, type Place } from '../support/databases.js'
import { bankAccount, card, mailServer, makeProcessing } from '../support/examples.js'
import { inHome } from '../support/home.js'
import { booksSealed } from '../support/outsider.js'
import { rejection } from '../support/rejection.js'
import { checkBackup, restoreBackup } from '../support/restored.js'
import { columnsUnder, openEverything } from '../support/sealed-values.js'
import { addSecondFactor } from '../support/second-factor.js'

const SECOND = '5555 5555 5555 4444'

describe('rotating the keys', () => {
  onDatabases('seals', (open) => {
    it('seals every value again under the new key, while the service runs', async () => {
      const { core, store, shop, secretKey } = await usedShop(open)
      const before = currentKey(core.place)
      const sealed = await openEverything(
        store,
        openVault(core.place.home, systemRandom).forEnvironment('test'),
      )
      const filled = await filledColumns(store)
      expect(filled, 'the story fills every column of the vault').to.deep.equal(
        sealedColumns().map(({ table, name }) => `${table}.${name}`),
      )
      const done = await rotate(core.place)
      expect(done).to.deep.include({ resumed: false, retired: [before] })
      expect(done.key).to.equal(currentKey(core.place)).and.not.equal(before)
      expect((await columnsUnder(store, before)).filter((name) => name !== 'vault_keys.id')).to.deep.equal([])
      expect(
        await openEverything(store, openVault(core.place.home, systemRandom).forEnvironment('test')),
      ).to.equal(sealed)
      expect(await filledColumns(store)).to.deep.equal(filled)

      // The service, which was never stopped, seals under the new key and still accepts its secret keys.
      await attempt(core, shop, 77, SECOND)
      expect((await columnsUnder(store, before)).filter((name) => name !== 'vault_keys.id')).to.deep.equal([])
      expect(await core.app.authenticate(secretKey)).to.include({ environment: 'test' })
    })

    it('keeps card numbers searchable before, during and after a rotation, including deleted numbers', async () => {
      const { core, shop } = await usedShop(open)
      const found = async () => {
        const query = `card[card_number]=${SECOND.replaceAll(' ', '')}&limit=1000`
        return valuesOf(await core.ok('GET', '/payment_methods', undefined, { query })).length
      }
      const others = async () => {
        const query = `card[card_number]=!${SECOND.replaceAll(' ', '')}&limit=1000`
        return valuesOf(await core.ok('GET', '/payment_methods', undefined, { query })).length
      }
      const expected = [await found(), await others()]
      expect(expected[0]).to.be.above(1)
      expect(await attempt(core, shop, 10, SECOND)).to.include({ status_code: 'duplicate_attempt' })
      expected[0] = await found()
      for (const round of [1, 2]) {
        await rotate(core.place, { prepareOnly: true })
        // The state after a rotation that was killed before its first row: new values are under the new key,
        // old ones are not.
        changeKeyFile(keyFilePath(core.place.home), (keys) => ({ ...keys, current: keys.next ?? '' }))
        expect([await found(), await others()], `amid ${round}`).to.deep.equal(expected)
        expect(await attempt(core, shop, 10, SECOND)).to.include({ status_code: 'duplicate_attempt' })
        expected[0] = await found()
        expect(await rotate(core.place)).to.include({ resumed: true })
        expect([await found(), await others()], `after ${round}`).to.deep.equal(expected)
        expect(await attempt(core, shop, 10, SECOND)).to.include({ status_code: 'duplicate_attempt' })
        expected[0] = await found()
      }
    })

    it('keeps accepting the mask of a number as unchanged, and refuses a full number', async () => {
      const { core, methods } = await usedShop(open)
      const [kept = ''] = methods
      await rotate(core.place)
      const path = `/payment_methods/${kept}`
      const { card } = await core.ok('GET', path)
      await core.ok('PUT', path, { card: { card_number: String(objectOf(card).card_number) } })
      for (const card_number of [SECOND, '4242424242424242'])
        expect((await core.send('PUT', path, { card: { card_number } })).status).to.equal(400)
    })

    it('names a value that cannot be opened, and continues there once the value is repaired', async () => {
      const { core, store, methods } = await usedShop(open)
      const before = currentKey(core.place)
      const [damaged = ''] = methods
      const change = async (text: string) =>
        await store.write(({ db }) =>
          db
            .updateTable('payment_methods')
            .set({ card__card_number: text })
            .where('id', '=', damaged)
            .execute(),
        )
      const { card__card_number: whole } = await store.read(({ db }) =>
        db.selectFrom('payment_methods').selectAll().where('id', '=', damaged).executeTakeFirstOrThrow(),
      )
      await change(`${before}.AAAA`)
      expect((await rejection(rotate(core.place))).message).to.include(
        `payment_methods.card__card_number of ${damaged} cannot be opened`,
      )
      expect((await columnsUnder(store, before)).filter((name) => name !== 'vault_keys.id')).to.deep.equal([
        'payment_methods.card__card_number',
      ])
      await change(String(whole))
      expect(await rotate(core.place)).to.include({ resumed: true, resealed: 1 })
    })

    it('must precede the deletion of an old key: no value may be sealed under that key', async () => {
      const { core, store, shop } = await usedShop(open)
      const options = { ...core.place, random: systemRandom }
      const first = currentKey(core.place)
      expect((await rejection(backupsUnder(options, first))).message).to.include('payctl vault rotate first')
      expect((await rejection(backupsUnder(options, 'other'))).message).to.include('There is no key other')
      await rotate(core.place)
      await forgetKey(options, first)
      expect([...readKeyFile(keyFilePath(core.place.home)).seal.keys()]).to.deep.equal([
        currentKey(core.place),
      ])
      // Deleted numbers are still found: their hashes are under the newer key.
      expect(await attempt(core, shop, 10, SECOND)).to.include({ status_code: 'duplicate_attempt' })
      expect(
        await openEverything(store, openVault(core.place.home, systemRandom).forEnvironment('test')),
      ).to.be.above(0)
      await rotate(core.place)
      expect(await attempt(core, shop, 10, SECOND)).to.include({ status_code: 'duplicate_attempt' })
    })
  })
})

describe('a key file that does not fit its database', () => {
  onDatabases('seals', (open) => {
    it('is refused in both environments before a value is sealed under it', async () => {
      const place = await open.place()
      await opened(place, 'test')
      await foreign(place)
      for (const environment of ['test', 'live'] as const) {
        const error = await rejection(opened(place, environment))
        expect(error, environment).to.include({ problem: 'key_foreign' })
        expect(error.message).to.include('belongs to another home')
      }
      const [found] = (await examine({ ...place, now: systemClock.now() })).filter(
        ({ check }) => check === 'test keys',
      )
      expect(found).to.include({ state: 'failed', fix: 'payctl vault import <file>' })
    })

    it('is refused even if the database has no record of its keys yet', async () => {
      const { core, store } = await usedShop(open)
      await store.write(({ db }) => db.deleteFrom('vault_keys').execute())
      const key = readFileSync(keyFilePath(core.place.home))
      await foreign(core.place)
      expect(await rejection(opened(core.place, 'test'))).to.include({ problem: 'key_foreign' })
      // Closing the core seals its last commits, which needs the keys of this home.
      writeFileSync(keyFilePath(core.place.home), key)
    })

    it('makes a running service refuse payments', async () => {
      const reported: unknown[] = []
      const core = await openCore(open, { report: (error) => reported.push(error) })
      const shop = await makeProcessing(core)
      await foreign(core.place)
      expect(await core.send('POST', '/transactions', payment(shop, 5, SECOND))).to.include({ status: 503 })
      expect(reported[0]).to.include({ problem: 'key_foreign' })
    })

    it('is refused if it is an old copy from the same home that lacks the current key', async () => {
      const { core } = await usedShop(open)
      await inHome(async (elsewhere) => {
        copyFileSync(keyFilePath(core.place.home), keyFilePath(elsewhere))
        await rotate(core.place)
        await booksSealed(core.place)
        copyFileSync(keyFilePath(elsewhere), keyFilePath(core.place.home))
        const error = await rejection(opened(core.place, 'test'))
        expect(error).to.include({ problem: 'key_foreign' })
        expect(error.message).to.include('lacks the key')
      })
    })
  })
})

onSqlite((open) => {
  describe('a backup from before a rotation', () => {
    it('can be restored and rotated again, and is listed before its key is forgotten', async () => {
      const { core, store, shop } = await usedShop(open)
      const { home } = core.place
      const first = currentKey(core.place)
      const folder = join(home, 'elsewhere', 'monday')
      const { keys } = await backUp({ home, folder, madeBy: 'test', now: systemClock.now() })
      expect(keys).to.deep.equal([first])
      await rotate(core.place)
      const later = join(home, 'elsewhere', 'tuesday')
      const { keys: newer } = await backUp({ home, folder: later, madeBy: 'test', now: systemClock.now() })
      expect(newer).to.deep.equal([currentKey(core.place)])
      await core.app.close()
      await store.close()
      await restoreBackup(home, folder)

      const again = await reopened(open, core.place)
      expect(await attempt(again, shop, 10, SECOND)).to.include({ status_code: 'duplicate_attempt' })
      const options = { ...core.place, random: systemRandom }
      expect((await rejection(forgetKey(options, first))).message).to.include('is still under an older key')
      expect(await rotate(core.place)).to.include({ resumed: true })
      expect(await attempt(again, shop, 10, SECOND)).to.include({ status_code: 'duplicate_attempt' })
      expect((await backupsUnder(options, first)).map(({ path }) => path)).to.deep.equal([folder])
      await forgetKey(options, first)
      expect((await rejection(checkBackup(home, folder))).message).to.include(`needs the key ${first}`)
      await checkBackup(home, later)
    })
  })
})

/**
 * Opens a shop with a value in every column of the vault. Two methods have the same number, which was deleted
 * from one of them.
 */
async function usedShop(open: Databases) {
  const core = await openCore(open)
  const shop = await makeProcessing(core)
  const { processing } = await core.ok('GET', `/processing_accounts/${shop}`)
  const settings = idOf(objectOf(objectOf(processing).settings))
  await core.ok('PUT', `/processing_settings/${settings}`, { duplicate_window: 86_400 })
  const methods: string[] = []
  for (const [amount, keep_active] of [
    [10, true],
    [11, false],
  ] as const) {
    const method = { ...card(SECOND), keep_active }
    const { payment_method_id: id } = await core.ok('POST', '/transactions', {
      ...payment(shop, amount, SECOND),
      payment_method: method,
    })
    methods.push(String(id))
  }
  await core.ok('POST', '/transactions', { ...payment(shop, 12, SECOND), payment_method: bankAccount() })
  const { id: webhook } = await core.ok('POST', '/webhooks', {
    trigger: 'processed',
    url: 'https://hooks.example.com/hook',
    oauth_token_url: 'https://hooks.example.com/token',
    oauth_client_id: 'shop app',
    oauth_client_secret: 's:cret',
  })
  await core.ok('POST', '/admin/mail_servers', mailServer)
  await core.ok('POST', `/webhooks/${webhook}/rotate_secret`)
  await core.ok('POST', '/admin/gateways', {
    kind: 'peer',
    name: 'other',
    base_url: 'https://127.0.0.1:1',
    credentials: { secret_key: 'test_secret_key_other' },
  })
  const { id: customer } = await core.ok('POST', '/customers', { name: 'Ada' })
  await core.ok('POST', '/payment_methods', {
    ...card(),
    account_id: String(customer),
    // No such gateway is connected, so none is queried for this token.
    gateway_token: { gateway: 'removed', token: 'tok_1' },
  })
  await addSecondFactor(core)
  const { secret_key: secretKey } = await core.ok('POST', '/admin/keys')
  const store = await openStore({ ...core.place, environment: 'test', random: systemRandom })
  open.atEnd(() => store.close())
  return { core, store, shop, methods, secretKey: String(secretKey) }
}

async function reopened(open: Databases, place: Place): Promise<TestCore> {
  return await openCore(Object.assign(async () => await open(), { ...open, migrated: async () => place }))
}

function payment(shop: string, amount: number, number: string): JsonObject {
  return { type: 'payment', amount, processing_id: shop, payment_method: card(number) }
}

async function attempt(core: TestCore, shop: string, amount: number, number: string): Promise<JsonObject> {
  const { status, body } = await core.send('POST', '/transactions', payment(shop, amount, number))
  return status === 200 ? body : objectOf(body.details)
}

async function rotate(place: Place, more: { readonly prepareOnly?: boolean } = {}) {
  return await rotateKeys({ ...place, random: systemRandom, clock: systemClock, ...more })
}

function currentKey({ home }: Place): string {
  return readKeyFile(keyFilePath(home)).current
}

async function opened(place: Place, environment: 'test' | 'live'): Promise<void> {
  const store = await openStore({ ...place, environment, random: systemRandom })
  await store.close()
}

/** Replaces the key file of a home by a new one, once every commit is sealed under its own. */
async function foreign(place: Place): Promise<void> {
  await booksSealed(place)
  rmSync(keyFilePath(place.home))
  makeKeyFile(keyFilePath(place.home), systemRandom)
}

async function filledColumns(store: Store): Promise<readonly string[]> {
  return await store.read(async ({ any }) => {
    const filled: string[] = []
    for (const { table, name } of sealedColumns()) {
      const row = await any
        .selectFrom(table)
        .select('id')
        .where(name, 'is not', null)
        .limit(1)
        .executeTakeFirst()
      if (row) filled.push(`${table}.${name}`)
    }
    return filled
  })
}
