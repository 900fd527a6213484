import { expect } from 'chai'
import { makeYear } from '../../../src/cli/commands/demo/year.js'
import { seededChance } from '../../../src/platform/chance.js'
import { objectOf, openCore, type TestCore, valuesOf } from '../../support/core.js'
import { type Databases, onPostgres, onSqlite } from '../../support/databases.js'
import { payctl } from './payctl.js'

const UNTIL = Date.UTC(2031, 5, 20, 15)

/** Forty days of a demo shop with its own clock. */
async function shopOf(open: Databases, seed: number): Promise<TestCore> {
  const time = { now: UNTIL }
  const core = await openCore(open, { clock: { now: () => time.now } })
  await makeYear({
    until: UNTIL,
    days: 40,
    chance: seededChance(seed),
    progress: () => undefined,
    deliver: async () => undefined,
    send: async (method, path, body) => (await core.send(method, path, body)).body,
    reach: async (moment) => {
      time.now = moment
      await core.environment.runDueJobs()
    },
  })
  return core
}

onSqlite((open) => {
  it('payctl demo creates a year of a shop whose books verify', async () => {
    const { place } = await openCore(open)
    const { exitCode, stdout, stderr } = await payctl(place, ['demo', '--json'])
    expect(stderr).to.equal('')
    expect(exitCode).to.equal(0)
    const made = objectOf(JSON.parse(stdout))
    expect(made).to.include({ object: 'demo', seed: 1, customers: 24, disputes: 3 })
    expect(Number(made.payments)).to.be.within(700, 1_200)
    for (const what of ['declined', 'refunds', 'deposits', 'invoices', 'overdue'])
      expect(Number(made[what]), what).to.be.above(0)
    expect(Number(made.deposits)).to.be.above(200)
    const verified = await payctl(place, ['verify', '--json'])
    expect(verified, verified.stdout).to.include({ exitCode: 0 })
    const disputes = await payctl(place, ['disputes', 'list', '--json'])
    expect(valuesOf(objectOf(JSON.parse(disputes.stdout)))).to.have.length(3)
    const again = await payctl(place, ['demo'])
    expect(again).to.include({ exitCode: 6, stdout: '' })
    expect(again.stderr).to.contain('The test environment has accounts already')
  })

  it('payctl demo creates the same shop from the same seed', async () => {
    const query =
      'order_by=created_at,amount,type&fields=type,status,amount,fee,created_at,description&limit=1000'
    const history = async (seed: number) =>
      valuesOf(await (await shopOf(open, seed)).ok('GET', '/transactions', undefined, { query }))
    const first = await history(7)
    expect(await history(7)).to.deep.equal(first)
    expect(await history(8)).to.not.deep.equal(first)
    expect(first[0]?.created_at).to.match(/^2031-05-1/)
  })

  it('payctl demo never runs in live or against a server', async () => {
    const place = await open.place()
    const live = await payctl(place, ['demo', '--env', 'live'])
    expect(live).to.include({ exitCode: 2, stdout: '' })
    expect(live.stderr).to.contain('test environment only')
    const remote = await payctl(place, ['demo'], {
      variables: { PAYCTL_SERVER: 'http://127.0.0.1:1', PAYCTL_KEY: 'test_secret_key_x' },
    })
    expect(remote.exitCode).to.not.equal(0)
  })

  it('payctl demo refuses a clock that was moved', async () => {
    const core = await openCore(open)
    await core.ok('POST', '/admin/clock', { by: '1d' })
    const { exitCode, stderr } = await payctl(core.place, ['demo'])
    expect(exitCode).to.equal(6)
    expect(stderr).to.contain('The clock of the test environment was moved')
  })
})

onPostgres((open) => {
  it('payctl demo creates a shop whose books verify on PostgreSQL, too', async () => {
    const core = await shopOf(open, 1)
    expect(await core.ok('GET', '/admin/verify')).to.deep.include({ findings: [] })
  })
})
