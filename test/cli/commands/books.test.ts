import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { objectOf, valuesOf } from '../../support/core.js'
import { onDatabases, onPostgres, onSqlite, type Place } from '../../support/databases.js'
import { asOutsider, booksSealed } from '../../support/outsider.js'
import { startServer } from '../../support/server-process.js'
import { payctl } from './payctl.js'

const PAY = 'transactions pay --amount 5 --card 4242424242424242 --expiry 12/39'

async function ok(place: Place, words: string): Promise<{ readonly [name: string]: unknown }> {
  const { exitCode, stdout, stderr } = await payctl(place, words.split(' '))
  expect(exitCode, stderr).to.equal(0)
  return objectOf(JSON.parse(stdout))
}

onDatabases((open) => {
  describe('the head of the books that serve publishes to a file', () => {
    it('is compared by doctor and verify', async () => {
      const place = await open.place()
      const file = join(place.home, 'elsewhere')
      await ok(place, `${PAY} --json`)
      await booksSealed(place)
      const server = await startServer(place, ['--head-file', file])
      try {
        while (!existsSync(`${file}.test`)) await new Promise((resolve) => setImmediate(resolve))
      } finally {
        expect(await server.stop()).to.equal(0)
      }
      expect(await ok(place, `verify --head ${file}.test --json`)).to.include({ found: 0 })
      const doctor = async () => {
        const { stdout } = await payctl(place, ['doctor', '--head-file', file, '--json'])
        return valuesOf(objectOf(JSON.parse(stdout))).find(({ check }) => check === 'test head elsewhere')
      }
      expect(await doctor()).to.include({ state: 'ok' })
      writeFileSync(`${file}.test`, readFileSync(`${file}.test`, 'utf8').replace('"hash":"', '"hash":"0'))
      expect(await doctor()).to.include({ state: 'failed' })
      expect((await payctl(place, ['verify', '--head', `${file}.test`])).exitCode).to.equal(8)
      writeFileSync(`${file}.test`, 'A letter')
      expect((await payctl(place, ['verify', '--head', `${file}.test`])).exitCode).to.equal(2)
    })
  })

  describe('a proof that a payment is in the sealed books', () => {
    it('is checked without a database, and a changed proof is detected', async () => {
      const place = await open.place()
      const proof = join(place.home, 'proof.json')
      const key = join(place.home, 'books.pem')
      const { id } = await ok(place, `${PAY} --json`)
      await booksSealed(place)
      await ok(place, `books key --out ${key} --json`)
      expect((await payctl(place, `verify --proof ${id} --out ${proof}`.split(' '))).exitCode).to.equal(0)
      const elsewhere = await open.place()
      const check = `verify --check-proof ${proof} --public-key ${key} --json`
      expect(await ok(elsewhere, check)).to.include({ genuine: true })
      const whole = readFileSync(proof, 'utf8')
      for (const [from, to] of [
        ['\\"amount\\":500', '\\"amount\\":900'],
        ['"hash": "', '"hash": "0'],
        ['"signature": "', '"signature": "A'],
      ] as const) {
        expect(whole).to.include(from)
        writeFileSync(proof, whole.replace(from, to))
        expect((await payctl(elsewhere, check.split(' '))).exitCode, from).to.equal(8)
      }
    })
  })
})

onPostgres((open) => {
  describe('a payment that could not be sealed before its command ended', () => {
    it('succeeds with a warning', async () => {
      const place = await open.place()
      await ok(place, `${PAY} --json`)
      await asOutsider(place, 'alter table seal_log add constraint refuses check (id < 0) not valid')
      const paid = await payctl(place, [...PAY.split(' '), '--json'])
      expect(paid.stderr).to.match(/^Warning: What was committed in test could not be sealed: .*refuses.*\n$/)
      expect(paid.exitCode).to.equal(0)
      expect(JSON.parse(paid.stdout)).to.include({ object: 'transaction', status: 'processed' })
    })
  })
})

onSqlite((open) => {
  describe('a file given to a books command', () => {
    it('is named in the error if it cannot be read or written', async () => {
      const place = await open.place()
      const { id } = await ok(place, `${PAY} --json`)
      await booksSealed(place)
      const nowhere = join(place.home, 'nowhere', 'file')
      const letter = join(place.home, 'letter')
      const proof = join(place.home, 'proof.json')
      writeFileSync(letter, 'A letter')
      const refused = async (words: string, problem: string) => {
        const { exitCode, stdout, stderr } = await payctl(place, words.split(' '))
        expect({ exitCode, stdout, stderr }).to.deep.equal({
          exitCode: 2,
          stdout: '',
          stderr: `error: ${problem}\n`,
        })
      }
      const unread = `The file ${nowhere} cannot be read (ENOENT)`
      const unwritten = `The file ${nowhere} cannot be written (ENOENT)`
      await refused(`verify --head ${nowhere}`, unread)
      await refused(`verify --check-proof ${nowhere} --public-key ${letter}`, unread)
      await refused(`verify --proof ${id} --out ${nowhere}`, unwritten)
      await refused(`books key --out ${nowhere}`, unwritten)
      expect((await payctl(place, `verify --proof ${id} --out ${proof}`.split(' '))).exitCode).to.equal(0)
      await refused(`verify --check-proof ${proof} --public-key ${nowhere}`, unread)
      await refused(
        `verify --check-proof ${proof} --public-key ${letter}`,
        `${letter} is not a public key as payctl books key prints it`,
      )
    })
  })

  describe('books that are older than their recorded head', () => {
    it('cannot be served or written until they are accepted, which is sealed', async () => {
      const place = await open.place()
      const before = join(place.home, 'before.db')
      const secret = join(place.home, 'secret.txt')
      writeFileSync(secret, 'test_secret_key_of_a_peer')
      const peer = `--name up --base-url https://pay.example.com --secret-key-file ${secret}`
      await ok(place, `gateways add peer ${peer} --json`)
      await ok(place, `${PAY} --json`)
      copyFileSync(join(place.home, 'test.db'), before)
      await ok(place, `${PAY} --json`)
      copyFileSync(before, join(place.home, 'test.db'))
      const served = await payctl(place, ['serve', '--port', '0'])
      expect(served.exitCode).to.equal(1)
      expect(served.stderr).to.include('payctl books accept --env test --reason <text>')
      expect((await payctl(place, PAY.split(' '))).exitCode).to.equal(1)
      const doctor = await payctl(place, ['doctor', '--json'])
      expect(doctor.exitCode).to.equal(8)
      expect(doctor.stdout)
        .to.match(/was at \d/)
        .and.not.include('catch-up')
      const accepted = await ok(place, 'books accept --reason found --json')
      expect(String(accepted.problem)).to.include('what was committed since then is missing')
      expect((await payctl(place, ['books', 'accept', '--reason', 'again'])).stderr).to.include(
        'nothing to accept',
      )
      const forgetful = await payctl(place, ['doctor', '--json'])
      expect(forgetful.stdout).to.include('payctl gateways catch-up --env test')
      await ok(place, `${PAY} --json`)
      expect(await ok(place, 'verify --json')).to.include({ found: 0 })
      await asOutsider(place, "update books_acceptances set reason = 'other'")
      expect((await payctl(place, ['verify', '--json'])).exitCode).to.equal(8)
    })
  })
})
