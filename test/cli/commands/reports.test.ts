import { expect } from 'chai'
import { sparkline } from '../../../src/cli/commands/reports/report-command.js'
import { pagesOfReport, reportJson, wholeOf } from '../../../src/cli/commands/reports/report-pages.js'
import type { JsonObject } from '../../../src/schema/json.js'
import { Business } from '../../support/business.js'
import { idOf, listOf, objectOf } from '../../support/core.js'
import { onDatabases, type Place } from '../../support/databases.js'
import { card } from '../../support/examples.js'
import { payctl } from './payctl.js'

const MARCH = ['--from', '2030-03-01', '--to', '2030-03-31']

onDatabases((open) => {
  describe('payctl reports', () => {
    let business: Business
    let account: string
    let payment: string
    let place: Place
    before(async () => {
      business = await Business.open(open, {}, '2030-03-05 17:00:00')
      place = business.core.place
      account = await business.account()
      const body = { type: 'payment', amount: 29.99, processing_id: account, payment_method: card() }
      payment = idOf(await business.core.ok('POST', '/transactions', body))
      business.at('2030-03-07 17:00:00')
      await business.run()
      business.at('2030-04-02 17:00:00')
    })
    const run = async (...words: string[]) => await payctl(place, ['reports', ...words])

    it('prints as JSON the answer of HTTP, for every report', async () => {
      for (const name of ['summary', 'statement', 'deposits', 'fees', 'disputes', 'aging', 'journal']) {
        const { stdout, exitCode } = await run(name, ...MARCH, '--json')
        expect(exitCode, name).to.equal(0)
        const query = 'from=2030-03-01&to=2030-03-31'
        const answer = await business.core.ok('GET', `/admin/reports/${name}`, undefined, { query })
        expect(stdout).to.equal(`${JSON.stringify(answer)}\n`)
      }
    })

    it('writes the rows of a statement as CSV with exact amounts', async () => {
      const { stdout } = await run('statement', ...MARCH, '--account', account, '-o', 'csv')
      const { rows } = await business.core.ok('GET', '/admin/reports/statement', undefined, {
        query: 'from=2030-03-01&to=2030-03-31',
      })
      const [, line, paid] = listOf(rows).map(objectOf)
      expect(stdout.split('\n')).to.deep.equal([
        'processing_id,date,kind,reference,object_id,amount,fee,net,balance,booked_at',
        `${account},2030-03-01,opening,,,,,,0.00,`,
        `${account},2030-03-05,payment,${line?.reference},${payment},29.99,1.17,28.82,28.82,2030-03-05 17:00:00`,
        `${account},2030-03-07,deposit,${paid?.reference},${paid?.object_id},-28.82,0.00,-28.82,0.00,2030-03-07 17:00:00`,
        `${account},2030-03-31,closing,,,,,,0.00,`,
        '',
      ])
      const { stdout: safe } = await run('statement', ...MARCH, '--safe-csv', '-o', 'csv')
      expect(safe.split('\n')[0]).to.equal(
        "'processing_id,date,kind,reference,object_id,amount,fee,net,balance,booked_at",
      )
    })

    it('shows a table with its period and totals', async () => {
      const { stdout } = await run('deposits', ...MARCH)
      expect(stdout).to.match(/^deposits from 2030-03-01 to 2030-03-31 \(America\/New_York\)\n/)
      expect(stdout).to.match(/PROCESSING_ID +DATE +KIND/)
      expect(stdout).to.match(
        /Totals\n[\s\S]*payments +29\.99\n[\s\S]*fee +1\.17\namount +28\.82\non_its_way +0\.00\n/,
      )
    })

    it('shows only the requested columns', async () => {
      const { stdout } = await run('statement', ...MARCH, '--columns', 'date,net', '-o', 'csv')
      expect(stdout).to.equal('date,net\n2030-03-01,\n2030-03-05,28.82\n2030-03-07,-28.82\n2030-03-31,\n')
    })

    it('refuses an ambiguous date and an incomplete period', async () => {
      const doubtful = await run('summary', '--from', '02/03/2030', '--to', '2030-03-31')
      expect([doubtful.exitCode, doubtful.stdout]).to.deep.equal([2, ''])
      expect(doubtful.stderr).to.contain('it may be 2030-03-02 or 2030-02-03')
      const half = await run('summary', '--from', '2030-03-01')
      expect([half.exitCode, half.stdout]).to.deep.equal([3, ''])
      expect(half.stderr).to.contain('Required beside from')
    })
  })
})

describe('pages of a report', () => {
  const pages: JsonObject[] = [
    { object: 'report', from: '2030-03-01', to: '2030-03-31', rows: [{ a: 1 }], totals: { a: 1 }, next: 'x' },
    { object: 'report', from: '2030-03-01', to: '2030-03-31', rows: [], totals: { a: 1 }, next: 'y' },
    {
      object: 'report',
      from: '2030-03-01',
      to: '2030-03-31',
      rows: [{ a: 2 }],
      totals: { a: 3 },
      next: null,
    },
  ]
  const open = async () => {
    const requests: JsonObject[] = []
    const all = pagesOfReport(async (more) => {
      requests.push(more)
      return pages[requests.length - 1] ?? {}
    })
    const first = await all.next()
    if (first.done) throw new Error('No page')
    return { requests, first: first.value.body, all }
  }

  it('are joined to one answer, as an object and as text', async () => {
    const whole = { ...pages[2], rows: [{ a: 1 }, { a: 2 }] }
    const { requests, first, all } = await open()
    expect(await wholeOf(first, all)).to.deep.equal(whole)
    const period = { from: '2030-03-01', to: '2030-03-31' }
    expect(requests).to.deep.equal([{}, { ...period, after: 'x' }, { ...period, after: 'y' }])
    const again = await open()
    let text = ''
    for await (const piece of reportJson(again.first, again.all)) text += piece
    expect(text).to.equal(`${JSON.stringify(whole)}\n`)
  })
})

describe('a sparkline', () => {
  it('shows the largest value highest, and zero or less as the lowest bar', () => {
    expect(sparkline([0, 1, 4, 8, -3], 10, false)).to.equal('▁▁▄█▁')
    expect(sparkline([0, 1, 4, 8, -3], 10, true)).to.equal('__:#_')
    expect(sparkline([0, 0], 10, false)).to.equal('▁▁')
  })

  it('adds up neighbouring values if the width is too small', () => {
    expect(sparkline([1, 1, 2, 2, 4, 4], 3, false)).to.equal('▂▄█')
    expect(sparkline([], 3, false)).to.equal('')
  })
})
