import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { objectOf, openCore, valuesOf } from '../../support/core.js'
import { onDatabases, type Place } from '../../support/databases.js'
import { slowList } from '../../support/slow-list.js'
import { payctl, start } from './payctl.js'

/** Enough objects for more than two pages. */
const MANY = 2_100

onDatabases((open) => {
  describe('payctl <topic> list', () => {
    let place: Place
    let folder: string
    let ids: unknown[]
    before(async () => {
      const core = await openCore(open)
      place = core.place
      ids = []
      for (let made = 0; made < MANY; made += 700) {
        const values = Array.from({ length: 700 }, (_, index) => ({ name: `Customer ${made + index}` }))
        const body = await core.ok('POST', '/customers', { object: 'list', values })
        ids.push(...valuesOf(body).map(({ id }) => id))
      }
      folder = await mkdtemp(join(tmpdir(), 'payctl-list-'))
    })
    after(() => rm(folder, { recursive: true }))

    const run = (...words: string[]) => payctl(place, ['customers', 'list', ...words])

    it('reads all pages, in every format', async () => {
      const [json, lines, csv, table] = await Promise.all([
        run('--all', '--fields', 'id', '--json'),
        run('--all', '--fields', 'id', '-o', 'ndjson'),
        run('--all', '--columns', 'id', '-o', 'csv'),
        run('--all', '--columns', 'id'),
      ])
      const found = valuesOf(objectOf(JSON.parse(json.stdout))).map(({ id }) => id)
      expect(found).to.have.lengthOf(MANY).and.to.have.all.members(ids)
      expect(lines.stdout).to.equal(found.map((id) => `${JSON.stringify({ id })}\n`).join(''))
      expect(csv.stdout).to.equal(`id\n${found.map((id) => `${id}\n`).join('')}`)
      expect(table.stdout).to.equal(`ID\n${found.map((id) => `${id}\n`).join('')}`)
      for (const { stderr, exitCode } of [json, lines, csv, table])
        expect({ stderr, exitCode }).to.deep.equal({ stderr: '', exitCode: 0 })
    })

    it('shows the requested number of objects, and how to continue', async () => {
      const first = await run('--limit', '1500', '--order-by', 'id', '--columns', 'id')
      const [, last = ''] = /--after (\S+)/.exec(first.stderr) ?? []
      expect(first.stderr).to.equal(`More follow: --all, or from there on --after ${last}\n`)
      const rest = await run('--all', '--order-by', 'id', '--columns', 'id', '--after', last)
      const found = [...first.stdout.split('\n').slice(1, -1), ...rest.stdout.split('\n').slice(1, -1)]
      expect(found).to.deep.equal(ids.map(String).toSorted())
    })

    it('ends when its reader closes the pipe', async () => {
      const child = start(place, ['customers', 'list', '--all', '-o', 'ndjson'])
      await once(child.stdout ?? child, 'data')
      child.stdout?.destroy()
      const [code] = await once(child, 'close')
      expect(code).to.equal(0)
    })

    it('counts, sums and groups', async () => {
      expect(await run('--count')).to.deep.equal({ exitCode: 0, stdout: `${MANY}\n`, stderr: '' })
      const { stdout } = await run('--count', '--group-by', 'type', '-o', 'csv')
      expect(stdout).to.equal(`type,count(*)\ncustomer,${MANY}\n`)
      expect((await run('--count', '--created-before', '2w')).stdout).to.equal('0\n')
      expect((await run('--count', '--created-after', 'yesterday')).stdout).to.equal(`${MANY}\n`)
      const none = ['transactions', 'list', '--sum', 'amount']
      expect((await payctl(place, none)).stdout).to.equal('0.00\n')
    })

    it('writes a complete file in the format of its extension', async () => {
      const path = join(folder, 'customers.csv')
      const outcome = await run('--columns', 'id,name', '--output-file', path)
      expect(outcome).to.deep.equal({ exitCode: 0, stdout: '', stderr: '' })
      const lines = (await readFile(path, 'utf8')).split('\n')
      expect([lines[0], lines.length]).to.deep.equal(['id,name', MANY + 2])
      expect(await readdir(folder)).to.deep.equal(['customers.csv'])
    })

    it('refuses a file name whose extension contradicts the format', async () => {
      for (const [words, problem] of [
        [['customers.xlsx'], 'files are written as .csv, .json, .ndjson, or .txt for a table'],
        [['customers.XLSX', '-o', 'csv'], 'files are written as .csv'],
        [['other.csv', '-o', 'json'], 'its name says csv, but the output is json'],
      ] as const) {
        const [name, ...rest] = words
        const outcome = await run('--output-file', join(folder, name), ...rest)
        expect(outcome).to.include({ exitCode: 2, stdout: '' })
        expect(outcome.stderr).to.include(problem)
        expect(await readdir(folder)).to.not.include(name)
      }
      expect((await run('--output-file', join(folder, 'customers.txt'))).exitCode).to.equal(0)
      await rm(join(folder, 'customers.txt'))
    })

    it('prints no message when head closes the pipe', async () => {
      const child = start(place, ['customers', 'list'])
      let said = ''
      child.stderr?.on('data', (text) => {
        said += text
      })
      await once(child.stdout ?? child, 'data')
      child.stdout?.destroy()
      const [code] = await once(child, 'close')
      expect({ code, said }).to.deep.equal({ code: 0, said: '' })
    })

    it('creates no file if the list is refused', async () => {
      const { exitCode, stderr } = await run('--where', 'no=1', '--output-file', join(folder, 'none.csv'))
      expect({ exitCode, stderr }).to.deep.equal({
        exitCode: 3,
        stderr: 'error: --where no: Unknown attribute\n',
      })
      expect(await readdir(folder)).to.not.include('none.csv')
    })
  })
})

describe('payctl <topic> list, interrupted', () => {
  it('leaves no partial file, and reports the interruption', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'payctl-list-'))
    const server = await slowList()
    const path = join(folder, 'customers.ndjson')
    const variables = { PAYCTL_SERVER: server.address, PAYCTL_KEY: `test_secret_key_${'a'.repeat(43)}` }
    const child = start({ home: folder }, ['customers', 'list', '--output-file', path], {
      variables,
    })
    let stderr = ''
    child.stderr?.on('data', (piece) => {
      stderr += piece
    })
    await server.requested
    expect((await readdir(folder)).filter((name) => name.endsWith('.part'))).to.have.lengthOf(1)
    child.kill('SIGINT')
    const [code] = await once(child, 'close')
    expect({ code, stderr }).to.deep.equal({
      code: 130,
      stderr: `Interrupted; nothing was written to ${path}.\n`,
    })
    expect((await readdir(folder)).filter((name) => name.includes('customers'))).to.deep.equal([])
    server.close()
    await rm(folder, { recursive: true })
  })
})
