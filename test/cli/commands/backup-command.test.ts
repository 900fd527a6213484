import { once } from 'node:events'
import {
  appendFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { expect } from 'chai'
import { valuesOf } from '../../support/core.js'
import { onPostgres, onSqlite } from '../../support/databases.js'
import { startServer } from '../../support/server-process.js'
import { backedUp, CARD, FORGED, PASSPHRASE } from './backed-up.js'
import { payctl, start } from './payctl.js'

onSqlite((open) => {
  describe('payctl backup and restore', () => {
    it('move a home to another place, with the keys exported separately', async () => {
      const { place, other, folder, keys, run, ok, variables, payment } = await backedUp(open)
      const [file, ...more] = valuesOf(await ok(place, `backup ${folder}`))
      expect(more).to.deep.equal([])
      expect(file).to.include({ environment: 'test', bytes: statSync(join(folder, 'test.db')).size })
      expect(readdirSync(folder).sort()).to.deep.equal(['backup.json', 'test.db'])
      expect(statSync(join(folder, 'test.db')).mode & 0o777).to.equal(0o600)
      await ok(place, `vault export ${keys}`, { variables })
      expect(readFileSync(keys, 'utf8')).to.match(/^payctl keys v1\n[\w+/=\n]+$/)
      expect(statSync(keys).mode & 0o777).to.equal(0o600)

      expect((await run(other, `restore ${folder}`)).stderr).to.include('payctl vault import <file>')
      await ok(other, `vault import ${keys}`, { variables })
      const [restored] = valuesOf(await ok(other, `restore ${folder}`))
      expect(restored).to.include({ environment: 'test', restored: true })
      const shown = `transactions get ${payment.id} --json`
      expect(await run(other, shown)).to.deep.equal(await run(place, shown))
      // The card of the payment opens with the imported keys.
      await ok(other, `transactions refund ${payment.id} --amount 1`)
      expect(await ok(other, 'verify')).to.include({ found: 0 })
    })

    it('replace no file without --yes, and move existing files aside', async () => {
      const { place, folder, run, ok, payment } = await backedUp(open)
      await ok(place, `backup ${folder}`)
      const later = await ok(place, `transactions pay --amount 1 ${CARD}`)
      const refused = await run(place, `restore ${folder}`)
      expect(refused.exitCode).to.equal(2)
      expect(refused.stderr).to.match(
        /^error: Restoring the backup of \d{4}-.* replaces .*test\.db: add --yes\n$/,
      )
      await ok(place, `transactions get ${later.id}`)
      await ok(place, `restore ${folder} --yes`)
      await ok(place, `transactions get ${payment.id}`)
      expect(await run(place, `transactions get ${later.id}`)).to.include({ exitCode: 5 })
      const aside = readdirSync(place.home).filter((name) => /^test\.db\.before-\d{14}$/.test(name))
      expect(aside.length).to.equal(1)
      renameSync(join(place.home, String(aside[0])), join(place.home, 'test.db'))
      await ok(place, `transactions get ${later.id}`)
    })

    it('check a backup first, and restore none that was changed after it was made', async () => {
      const { place, folder, run, ok } = await backedUp(open)
      await ok(place, `backup ${folder}`)
      expect(valuesOf(await ok(place, `restore ${folder} --verify`))[0]).to.include({
        restored: false,
        found: 0,
      })
      expect(await run(place, `backup ${folder}`)).to.include({ exitCode: 1, stdout: '' })
      const before = readFileSync(join(place.home, 'test.db'))
      const manifest = join(folder, 'backup.json')
      const whole = readFileSync(manifest, 'utf8')
      const refusals: readonly (readonly [(text: string) => string, RegExp])[] = [
        [(text) => text.replace(/"sha256": "\w/, '"sha256": "x'), FORGED],
        [(text) => text.replace(/0001_first_\w+/, '9999_future'), FORGED],
        [(text) => text.replace(/"made_at": "\d/, '"made_at": "3'), FORGED],
        [(text) => text.replace(/"number": \d/, '"number": 9'), FORGED],
        [(text) => text.replace(/"log": "\w/, '"log": "x'), FORGED],
        [(text) => text.replace(/"mac": "[\w-]/, '"mac": "+'), FORGED],
        [(text) => text.replace(/,\s+"mac": "[^"]*"/, ''), FORGED],
        [(text) => text.replace('"version": 1', '"more": 1, "version": 1'), FORGED],
        [(text) => text.replace(/"keys": \[\s*"/, '"keys": ["other'), /belongs to another home/],
        [(text) => text.replace('"test"', '"live"'), /is damaged/],
        [(text) => text.replace('"test.db"', '"../test.db"'), /is damaged/],
        [() => '{', /is damaged/],
      ]
      for (const [change, message] of refusals) {
        writeFileSync(manifest, change(whole))
        const { exitCode, stdout, stderr } = await run(place, `restore ${folder} --yes`)
        expect({ exitCode, stdout }, String(message)).to.deep.equal({ exitCode: 1, stdout: '' })
        expect(stderr).to.match(message)
      }
      writeFileSync(manifest, whole)
      appendFileSync(join(folder, 'test.db'), 'x')
      expect((await run(place, `restore ${folder} --yes`)).stderr).to.include('its checksum differs')
      expect(readFileSync(join(place.home, 'test.db')).equals(before)).to.equal(true)
    })

    it('name the folder that cannot be created', async () => {
      const { place, run } = await backedUp(open)
      const below = join(place.home, 'test.db', 'backup')
      for (const folder of [below, '/proc/backup']) {
        const { exitCode, stderr } = await run(place, `backup ${folder}`)
        expect([exitCode, stderr]).to.deep.equal([1, stderr])
        expect(stderr).to.match(
          /^error: The folder \S+ cannot be made \((ENOTDIR|ENOENT)\); name another\.\n$/,
        )
      }
    })

    it('back up a database in use, but refuse to restore into one', async () => {
      const { place, folder, run, ok } = await backedUp(open)
      const server = await startServer(place)
      try {
        await ok(place, `backup ${folder}`)
        const refused = await run(place, `restore ${folder} --confirm ${basename(folder)}`)
        expect(refused.exitCode).to.equal(9)
        expect(refused.stderr).to.match(/locked by another process|is in use/)
      } finally {
        await server.stop()
      }
      const unnamed = await run(place, `restore ${folder} --yes`)
      expect(unnamed, 'serve has made the live one').to.include({ exitCode: 2 })
      expect(unnamed.stderr).to.include(`live.db: add --confirm ${basename(folder)}`)
      await ok(place, `restore ${folder} --confirm ${basename(folder)}`)
      expect(await ok(place, 'verify')).to.include({ found: 0 })
    })

    it('copy one consistent state during writes', async () => {
      const { place, folder, run, ok } = await backedUp(open)
      const input = JSON.stringify(Array.from({ length: 1_000 }, (_, n) => ({ name: `Customer ${n}` })))
      const writer = start(place, ['customers', 'create', '--data', '-', '--json'])
      const closed = once(writer, 'close')
      writer.stdout?.resume()
      writer.stdin?.end(input)
      await ok(place, `backup ${folder}`)
      await closed
      expect(valuesOf(await ok(place, `restore ${folder} --verify`))[0]).to.include({ found: 0 })
      await ok(place, `restore ${folder} --yes`)
      const { stdout } = await run(place, 'customers list --count')
      expect(stdout).to.match(/^(0|1000)\n$/)
    })

    it('encrypt exported keys with a passphrase, and never replace a key file', async () => {
      const { place, other, keys, run, ok, variables } = await backedUp(open)
      expect((await run(place, `vault export ${keys}`)).stderr).to.include('Missing --passphrase-file -')
      const short = await run(place, `vault export ${keys} --passphrase-file -`, { input: 'short\n' })
      expect(short).to.include({
        exitCode: 2,
        stderr: 'error: Expected a passphrase of 12 characters at least\n',
      })
      expect(existsSync(keys)).to.equal(false)
      await ok(place, `vault export ${keys} --passphrase-file -`, { input: `${PASSPHRASE}\n` })
      expect((await run(place, `vault export ${keys}`, { variables })).stderr).to.include('already exists')
      const wrong = { PAYCTL_PASSPHRASE: `${PASSPHRASE}r` }
      const refused = await run(other, `vault import ${keys}`, { variables: wrong })
      expect(refused).to.include({ exitCode: 1, stdout: '' })
      expect(refused.stderr).to.include('The passphrase is wrong, or the file was changed.')
      expect(existsSync(join(other.home, 'payctl.key'))).to.equal(false)
      expect((await run(place, `vault import ${keys}`, { variables })).stderr).to.include('already exists')
    })

    it('export keys to a folder that does not exist yet, and make it for its owner only', async () => {
      const { place, other, keys, run, ok, variables } = await backedUp(open)
      const folder = `${keys}.new`
      const file = join(folder, 'inner', 'payctl.keys')
      await ok(place, `vault export ${file}`, { variables })
      for (const made of [folder, join(folder, 'inner')]) expect(statSync(made).mode & 0o777).to.equal(0o700)
      await ok(other, `vault import ${file}`, { variables })
      const refused = await run(place, `vault export ${join(file, 'below', 'keys')}`, { variables })
      expect(refused).to.include({ exitCode: 1, stdout: '' })
      expect(refused.stderr).to.include('cannot be written (ENOTDIR)')
    })
  })
})

onPostgres((open) => {
  it('payctl backup names the backup tools of PostgreSQL', async () => {
    const place = await open.place()
    for (const [words, tool] of [
      ['backup', 'pg_dump'],
      ['restore', 'pg_restore'],
    ] as const) {
      const { exitCode, stderr } = await payctl(place, [words, join(place.home, 'folder')])
      expect(exitCode).to.equal(2)
      expect(stderr).to.include(`use ${tool} --schema=payctl_test --schema=payctl_live`)
    }
  })
})
