import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { readFixtures } from '../../../src/cli/commands/fixtures/fixture-file.js'
import { textWithAnswers, withAnswers } from '../../../src/cli/commands/fixtures/fixture-references.js'
import { openCore, type TestCore, valuesOf } from '../../support/core.js'
import { onDatabases, onSqlite } from '../../support/databases.js'
import { payctl } from './payctl.js'

const EXAMPLE = fileURLToPath(new URL('../../../docs/fixtures.json', import.meta.url))

onDatabases((open) => {
  it('payctl fixtures run creates the objects of the documented example', async () => {
    const core = await openCore(open)
    const { exitCode, stdout, stderr } = await payctl(core.place, ['fixtures', 'run', EXAMPLE, '--json'])
    expect(stderr).to.equal('')
    expect(exitCode).to.equal(0)
    const made = valuesOf(JSON.parse(stdout))
    expect(made.map(({ name, object, status }) => [name, object, status])).to.deep.equal([
      ['shop', 'processing_account', 'pending'],
      ['ada', 'customer', null],
      ['paid', 'transaction', 'processed'],
      ['refund', 'transaction', 'processed'],
      ['broke', 'transaction', 'declined'],
      ['again', 'transaction', 'processed'],
    ])
    const [, , paid, , broke] = made
    expect(await core.ok('GET', `/transactions/${paid?.id}`)).to.include({ description: 'Order of Ada Park' })
    expect(await core.ok('GET', `/transactions/${broke?.id}`)).to.include({ amount: 29.99 })
  })
})

onSqlite((open) => {
  describe('payctl fixtures run', () => {
    let core: TestCore
    let file: string
    before(async () => {
      core = await openCore(open)
      file = join(core.place.home, 'fixtures.json')
    })
    const run = async (requests: readonly object[], ...more: string[]) => {
      writeFileSync(file, JSON.stringify({ requests }))
      return await payctl(core.place, ['fixtures', 'run', file, ...more])
    }

    it('stops at a refusal, and lists the objects created before', async () => {
      const requests = [
        { name: 'ada', path: '/customers', body: { name: 'Ada' } },
        { name: 'wrong', path: '/customers', body: { email: 'nobody' } },
        { name: 'never', path: '/customers', body: { name: 'Never' } },
      ]
      const said = await run(requests)
      expect(said).to.include({ exitCode: 3, stdout: '' })
      expect(said.stderr).to.match(/^wrong failed; made before: ada acct_\w{22}\n/)
      expect(JSON.parse((await run(requests, '--json')).stderr).error_description).to.match(
        /^wrong: \[.*; made before: ada acct_\w{22}$/,
      )
      expect(await core.ok('GET', '/customers', undefined, { query: 'name=Never' })).to.deep.include({
        values: [],
      })
    })

    it('fails if an expected value differs or an attribute is missing from an answer', async () => {
      const accepted = await run([
        { name: 'ada', path: '/customers', body: { name: 'Ada' }, expect: 'Conflict' },
      ])
      expect(accepted.exitCode).to.equal(2)
      expect(accepted.stderr).to.contain('ada: Expected Conflict, but it was accepted')
      const lacking = await run([
        { name: 'ada', path: '/customers', body: { name: 'Ada' } },
        { name: 'bob', path: '/customers', body: { name: '{{ada.nickname}}' } },
      ])
      expect(lacking.stderr).to.contain('bob: The answer of ada has no nickname')
    })

    it('runs in test; in live it needs a confirmation', async () => {
      const requests = [{ name: 'ada', path: '/customers', body: { name: 'Ada' } }]
      const refused = await run(requests, '--env', 'live')
      expect(refused.exitCode).to.equal(2)
      expect(refused.stderr).to.contain('in live they need --confirm live')
      expect((await run(requests, '--env', 'live', '--confirm', 'live')).exitCode).to.equal(0)
    })

    it('refuses YAML with an explanation', async () => {
      const { exitCode, stderr } = await payctl(core.place, ['fixtures', 'run', 'shop.yaml'])
      expect(exitCode).to.equal(2)
      expect(stderr).to.contain('from JSON, not from YAML')
    })

    for (const [what, requests, reason] of [
      ['nothing', [], 'Expected {"requests": ['],
      [
        'an unknown key',
        [{ name: 'a', path: '/customers', boddy: {} }],
        'there is no boddy; did you mean body?',
      ],
      ['no name', [{ path: '/customers' }], 'request 1: expected a name'],
      ['no path', [{ name: 'a', path: 'customers' }], 'request 1 (a): expected a path that begins with /'],
      [
        'another method',
        [{ name: 'a', path: '/x', method: 'PATCH' }],
        'expected GET, POST, PUT, DELETE as method',
      ],
      [
        'a name twice',
        [
          { name: 'a', path: '/x' },
          { name: 'a', path: '/x' },
        ],
        'another of that name before',
      ],
      [
        'a name that comes later',
        [
          { name: 'ada', path: '/x' },
          { name: 'b', path: '/x/{{adda.id}}' },
        ],
        'request 2 (b): there is no adda before it; did you mean ada?',
      ],
    ] as const)
      it(`refuses a file with ${what} before sending a request`, async () => {
        const { exitCode, stdout, stderr } = await run(requests)
        expect({ exitCode, stdout }).to.deep.equal({ exitCode: 2, stdout: '' })
        expect(stderr).to.contain(reason)
      })
  })
})

describe('references in fixtures', () => {
  const answers = new Map([['a', { id: 'x', amount: 12.5, list: [{ id: 'y' }], one: { b: true } }]])

  it('keep the type of an attribute if they stand alone, and become text inside a text', () => {
    expect(
      withAnswers(
        { amount: '{{a.amount}}', flags: ['{{a.one}}'], text: '{{a.amount}} to {{a.list.0.id}}' },
        answers,
      ),
    ).to.deep.equal({
      amount: 12.5,
      flags: [{ b: true }],
      text: '12.5 to y',
    })
    expect(textWithAnswers('/x/{{a.id}}?y={{a.one.b}}', answers)).to.equal('/x/x?y=true')
    expect(withAnswers('$a {a.id} {{a}}', answers)).to.equal('$a {a.id} {{a}}')
  })

  it('cannot reach inherited properties of an answer', () => {
    expect(() => withAnswers('{{a.constructor}}', answers)).to.throw('The answer of a has no constructor')
  })

  it('work as in the documented example', () => {
    expect(readFixtures(JSON.parse(readFileSync(EXAMPLE, 'utf8')))).to.have.length(6)
  })
})
