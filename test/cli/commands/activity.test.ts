import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { listOf, objectOf } from '../../support/core.js'
import { onDatabases, type Place } from '../../support/databases.js'
import { payctl } from './payctl.js'

onDatabases((open) => {
  describe('payctl activity', () => {
    let place: Place
    let customer: string
    before(async () => {
      place = await open.migrated()
      const made = await payctl(place, ['customers', 'create', '--name', 'Ada', '--json'])
      customer = String(objectOf(JSON.parse(made.stdout)).id)
      await payctl(place, [
        'operators',
        'add',
        '--name',
        '=Eve',
        '--email',
        'eve@example.com',
        '--role',
        'viewer',
      ])
    })
    const run = async (...words: string[]) => {
      const { exitCode, stdout, stderr } = await payctl(place, ['activity', ...words])
      expect(exitCode, stderr).to.equal(0)
      return stdout
    }

    it('lists each actor, action and interface', async () => {
      const values = listOf(objectOf(JSON.parse(await run('list', '--json'))).values).map((line) =>
        objectOf(line),
      )
      expect(values.map(({ by, by_id, through, action }) => [by, by_id, through, action])).to.deep.equal([
        ['operator', 'owner', 'terminal', 'create operator'],
        ['operator', 'owner', 'terminal', 'create customer'],
      ])
      expect(await run('list', '--where', `object_id=${customer}`, '--count')).to.equal('1\n')
      const [line] = values
      expect(JSON.parse(await run('show', String(line?.id), '--json'))).to.deep.include({ id: line?.id })
    })

    it('exports all lines that match the filters as CSV to standard output', async () => {
      const lines = (await run('export')).trimEnd().split('\n')
      expect(lines).to.have.length(3)
      expect(lines[0]).to.match(/^id,by,by_id,.*,created_at,modified_at$/)
      const one = await run('export', '--where', `object_id=${customer}`)
      expect(one.trimEnd().split('\n')).to.have.length(2)
      expect(one).to.contain(`create customer,,,${customer}`)
    })

    it('exports to a file in the format of its extension', async () => {
      const csv = join(place.home, 'activity.csv')
      expect(await run('export', '--output-file', csv)).to.equal('')
      expect(readFileSync(csv, 'utf8')).to.equal(await run('export'))
      const json = join(place.home, 'activity.ndjson')
      await run('export', '--output-file', json, '--order-by', 'created_at')
      const actions = readFileSync(json, 'utf8')
        .trimEnd()
        .split('\n')
        .map((line) => objectOf(JSON.parse(line)).action)
      expect(actions).to.deep.equal(['create customer', 'create operator'])
    })
  })
})
