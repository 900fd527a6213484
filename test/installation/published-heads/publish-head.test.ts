import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { headPath, resetHead } from '../../../src/engine/store/books/head-file.js'
import { readSignedHead, signedHeadText } from '../../../src/engine/store/books/signed-head.js'
import { examine } from '../../../src/installation/doctor.js'
import type { HeadPlaces } from '../../../src/installation/published-heads/publish-head.js'
import { openCore, type TestCore } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { makeProcessing, pay } from '../../support/examples.js'
import { asOutsider, booksSealed } from '../../support/outsider.js'
import { rejection } from '../../support/rejection.js'

const MINUTE = 60_000

describe('the head of the books that is published elsewhere', () => {
  onDatabases('seals', (open) => {
    let time: { now: number }
    let core: TestCore
    let processing: string

    /** Opens a core in a new home, which publishes heads to `places`, and makes the first checkpoint. */
    const begin = async (
      places: (home: string) => HeadPlaces,
      options: { readonly report?: (error: unknown) => void } = {},
    ) => {
      time = { now: Date.now() }
      const heads: HeadPlaces = {}
      core = await openCore(open, { ...options, clock: { now: () => time.now }, heads })
      Object.assign(heads, places(core.place.home))
      processing = await makeProcessing(core)
      await checkpoint()
      return heads
    }
    /** Takes a payment; its commit is signed as a checkpoint, because the last one is over a minute old. */
    const checkpoint = async () => {
      time.now += 2 * MINUTE
      await pay(core, processing, 10)
      await booksSealed(core.place)
    }
    const tell = () => core.environment.publishHead(new AbortController().signal)
    const doctor = async (heads: HeadPlaces) => {
      const { home, databaseUrl } = core.place
      const results = await examine({ home, databaseUrl, now: time.now, heads })
      return results.filter(({ check }) => check === 'test head elsewhere').map(({ state }) => state)
    }
    const inFile = (home: string): HeadPlaces => ({ file: join(home, 'elsewhere') })
    const told = () => readFileSync(join(core.place.home, 'elsewhere.test'), 'utf8')
    const verifyWith = async (head: string) => {
      const query = `head=${head.trim()}`
      return (await core.ok('GET', '/admin/verify', undefined, { query })).findings
    }

    it('is written to a file after each checkpoint, and matches the books', async () => {
      const heads = await begin(inFile)
      expect(await doctor(heads)).to.deep.equal(['warning'])
      await tell()
      const first = readSignedHead(told())
      expect(await doctor(heads)).to.deep.equal(['ok'])
      await tell()
      expect(readSignedHead(told())).to.deep.equal(first)
      await checkpoint()
      await tell()
      const second = readSignedHead(told())
      expect(second?.number).to.be.above(first?.number ?? 0)
      expect(second?.environment).to.equal('test')
      for (const head of [first, second])
        expect(await verifyWith(head ? signedHeadText(head) : '')).to.deep.equal([])
      expect(await doctor(heads)).to.deep.equal(['ok'])
      time.now += 10 * MINUTE
      await checkpoint()
      time.now += 10 * MINUTE
      expect(await doctor(heads)).to.deep.equal(['warning'])
    })

    it('is passed to a command, one line for each new checkpoint', async () => {
      const heads = await begin((home) => ({ command: `cat >> '${join(home, 'lines')}'` }))
      expect(await doctor(heads)).to.deep.equal(['warning'])
      await tell()
      await tell()
      await checkpoint()
      await tell()
      const text = readFileSync(join(core.place.home, 'lines'), 'utf8')
      expect(text.trim().split('\n')).to.have.length(2)
      expect(await verifyWith(text)).to.deep.equal([])
      expect(await doctor(heads)).to.deep.equal(['ok'])
    })

    it('reveals that the books were set back together with the head in their home', async () => {
      const heads = await begin(inFile, { report: () => undefined })
      const { home } = core.place
      await checkpoint()
      await tell()
      const before = told()
      await asOutsider(
        core.place,
        'delete from checkpoints where id > (select min(id) from checkpoints)',
        'delete from seal_log where id > (select min(id) from checkpoints)',
      )
      const handle = core.environment.core
      const [last] = await handle.read(({ tx: { db } }) =>
        db.selectFrom('seal_log').select(['id as number', 'hash']).orderBy('id', 'desc').limit(1).execute(),
      )
      resetHead(headPath(home, 'test'), last ?? { number: 0, hash: '' })
      expect(await doctor(heads)).to.deep.equal(['failed'])
      expect(JSON.stringify(await verifyWith(before))).to.include('"head elsewhere"')
      // The running process remembers the missing commits and refuses; a new process does not know them.
      expect((await rejection(checkpoint())).message).to.include('503')
      core = await openCore(open, { ...core.place, clock: { now: () => time.now }, heads })
      await checkpoint()
      expect((await rejection(tell())).message).to.include('stays as it is')
      expect(readFileSync(join(home, 'elsewhere.test'), 'utf8')).to.equal(before)
    })

    it('is published by a later attempt after a failure, whose cause is reported', async () => {
      const heads = await begin((home) => ({
        command: `test -e '${join(home, 'there')}' || { echo no disk >&2; exit 3; }`,
      }))
      expect((await rejection(tell())).message).to.match(
        /could not be published elsewhere: .* it ended with 3: no disk/,
      )
      expect(await doctor(heads)).to.deep.equal(['failed'])
      writeFileSync(join(core.place.home, 'there'), '')
      await tell()
      expect(await doctor(heads)).to.deep.equal(['ok'])
    })

    it('replaces a file only if it holds a head of this home', async () => {
      const heads = await begin(inFile)
      const path = join(core.place.home, 'elsewhere.test')
      writeFileSync(path, 'A letter')
      expect((await rejection(tell())).message).to.include('holds something else than a head')
      expect(told()).to.equal('A letter')
      expect(await doctor(heads)).to.deep.equal(['failed'])
      const foreign = { environment: 'test', number: 1, hash: '', signed_at: '', signature: 'AAAA' } as const
      writeFileSync(path, signedHeadText({ object: 'signed_head', ...foreign }))
      expect((await rejection(tell())).message).to.include('not signed by the key of this home')
      expect(JSON.stringify(await verifyWith(told()))).to.include('not signed')
      const { status } = await core.send('GET', '/admin/verify', undefined, { query: 'head=x' })
      expect(status).to.equal(400)
    })

    it('does not delay a stopping service while its command still runs', async () => {
      await begin((home) => ({ command: `touch '${join(home, 'begun')}'; while true; do sleep 60; done` }))
      const stopping = new AbortController()
      const telling = core.environment.publishHead(stopping.signal)
      while (!existsSync(join(core.place.home, 'begun')))
        await new Promise((resolve) => setImmediate(resolve))
      stopping.abort()
      await telling
      await pay(core, processing, 10)
    })

    it('is published only if that is configured', async () => {
      const heads = await begin(() => ({}))
      await tell()
      expect(await doctor(heads)).to.deep.equal([])
    })
  })
})
