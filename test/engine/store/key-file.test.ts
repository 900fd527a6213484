import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import type { Environment } from '../../../src/engine/store/database/store.js'
import { StoreError } from '../../../src/engine/store/database/store-error.js'
import { openStore } from '../../../src/engine/store/open-store.js'
import { keyFilePath, makeKeyFile, readKeyFile } from '../../../src/engine/store/vault/key-file.js'
import { openVault } from '../../../src/engine/store/vault/vault.js'
import { systemRandom } from '../../../src/platform/random.js'
import { onDatabases } from '../../support/databases.js'
import { inHome } from '../../support/home.js'
import { rejection } from '../../support/rejection.js'

describe('the key file', () => {
  it('is created in full, readable by its owner only, and its draft is removed', () =>
    inHome((home) => {
      makeKeyFile(keyFilePath(home), systemRandom)
      expect(statSync(keyFilePath(home)).mode & 0o777).to.equal(0o600)
      expect(readdirSync(home)).to.deep.equal(['payctl.key'])
      const { current, seal, hash } = readKeyFile(keyFilePath(home))
      expect([...seal.keys()]).to.deep.equal([current])
      expect([seal.get(current)?.symmetricKeySize, hash.symmetricKeySize]).to.deep.equal([32, 32])
    }))

  it('leads to removal of drafts of killed starts, but not of a draft being written', () =>
    inHome((home) => {
      const old = 'payctl.key.4321'
      const fresh = 'payctl.key.4322'
      const other = 'payctl.keys.4321'
      for (const name of [old, fresh, other])
        writeFileSync(join(home, name ?? ''), 'a part of a key', { mode: 0o600 })
      for (const name of [old, other]) utimesSync(join(home, name ?? ''), 1_000_000, 1_000_000)
      makeKeyFile(keyFilePath(home), systemRandom)
      expect(readdirSync(home).sort()).to.deep.equal(['payctl.key', fresh, other])
    }))

  it('is never overwritten', () =>
    inHome((home) => {
      makeKeyFile(keyFilePath(home), systemRandom)
      const before = readFileSync(keyFilePath(home), 'utf8')
      makeKeyFile(keyFilePath(home), systemRandom)
      expect(readFileSync(keyFilePath(home), 'utf8')).to.equal(before)
    }))

  it('has keys that are all different', () =>
    inHome((home) => {
      const [one, two] = ['one', 'two'].map((name) => join(home, name))
      const [first, second] = [one, two].map((path = '') => {
        makeKeyFile(path, systemRandom)
        return JSON.parse(readFileSync(path, 'utf8'))
      })
      const keys = [...Object.values(first.seal), first.hash, ...Object.values(second.seal), second.hash]
      expect(new Set(keys).size).to.equal(4)
    }))

  it('is refused if others can read it', () =>
    inHome((home) => {
      makeKeyFile(keyFilePath(home), systemRandom)
      for (const mode of [0o640, 0o604, 0o666]) {
        chmodSync(keyFilePath(home), mode)
        const error = refusalOf(() => readKeyFile(keyFilePath(home)))
        expect(error.problem).to.equal('key_exposed')
        expect(error.message).to.include(`chmod 600 ${keyFilePath(home)}`)
      }
    }))

  for (const [what, content] of Object.entries({
    'is empty': '',
    'is no JSON': '{',
    'is not an object': '[]',
    'has no keys': '{"current":"a"}',
    'lacks the current key': `{"current":"a","seal":{"b":"${key()}"},"hash":"${key()}"}`,
    'has a short key': `{"current":"a","seal":{"a":"${key(31)}"},"hash":"${key()}"}`,
    'has no key for hashes': `{"current":"a","seal":{"a":"${key()}"}}`,
    'has one damaged key of several': `{"current":"a","seal":{"a":"${key()}","b":"x"},"hash":"${key()}"}`,
  }))
    it(`is refused if it ${what}`, () =>
      inHome((home) => {
        writeFileSync(keyFilePath(home), content, { mode: 0o600 })
        const error = refusalOf(() => readKeyFile(keyFilePath(home)))
        expect(error.problem).to.equal('key_malformed')
        expect(error.message).to.include('restore it').and.to.not.include(key())
      }))

  it('is refused if it is a folder', () =>
    inHome((home) => {
      mkdirSync(keyFilePath(home), { mode: 0o700 })
      expect(refusalOf(() => readKeyFile(keyFilePath(home))).problem).to.equal('key_malformed')
    }))

  it('is checked with its home at every opening, before any secret is needed', () =>
    inHome(async (home) => {
      const open = () => openStore({ home, environment: 'test', random: systemRandom })
      await (await open()).close()
      chmodSync(keyFilePath(home), 0o644)
      expect(await rejection(open())).to.have.property('problem', 'key_exposed')
      chmodSync(keyFilePath(home), 0o600)
      writeFileSync(keyFilePath(home), '{')
      expect(await rejection(open())).to.have.property('problem', 'key_malformed')
    }))

  it('leaves no draft if it cannot be created', () =>
    inHome((home) => {
      const nowhere = join(keyFilePath(home), 'payctl.key')
      writeFileSync(keyFilePath(home), '')
      expect(refusalOf(() => makeKeyFile(nowhere, systemRandom)).problem).to.equal('missing')
      const full = { bytes: () => raise(Object.assign(new Error('no space left'), { code: 'ENOSPC' })) }
      const error = refusalOf(() => makeKeyFile(join(home, 'new', 'payctl.key'), full))
      expect(error.problem).to.equal('disk_full')
      expect(readdirSync(join(home, 'new'))).to.deep.equal([])
    }))

  onDatabases('locks', (open) => {
    it('is created with the first database and reused for the second', async () => {
      const place = await open.place()
      const opened = (environment: Environment) => openStore({ ...place, environment, random: systemRandom })
      await (await opened('test')).close()
      const made = readKeyFile(keyFilePath(place.home))
      await (await opened('live')).close()
      const { logs, ...kept } = readKeyFile(keyFilePath(place.home))
      expect({ ...kept, logs: made.logs }).to.deep.equal(made)
      expect([...logs.keys()]).to.have.members(
        place.dialect === 'postgres' ? [...logs.keys()] : ['test', 'live'],
      )
    })

    it('is not created again if it went missing, and the error asks to restore it', async () => {
      const { store, vault, ...place } = await open()
      rmSync(keyFilePath(place.home))
      const secret = refusalOf(() => openVault(place.home, systemRandom).hash('a', 'b'))
      expect(secret.problem).to.equal('key_missing')
      for (const environment of ['test', 'live'] as const) {
        const error = await rejection(openStore({ ...place, environment, random: systemRandom }))
        expect(error).to.have.property('problem', 'key_missing')
        expect(error.message).to.include(keyFilePath(place.home)).and.to.include('restore it')
      }
      expect(readdirSync(place.home)).to.not.include('payctl.key')
    })
  })
})

function key(length = 32): string {
  return Buffer.alloc(length, 7).toString('base64')
}

function raise(error: Error): never {
  throw error
}

function refusalOf(act: () => unknown): StoreError {
  try {
    act()
  } catch (error) {
    if (error instanceof StoreError) return error
    throw error
  }
  throw new Error('It was expected to be refused')
}
