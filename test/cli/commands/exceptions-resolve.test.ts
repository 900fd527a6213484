import { expect } from 'chai'
import type { JsonObject } from '../../../src/schema/json.js'
import { LiveShop } from '../../domain/settlements/live-shop.js'
import { valuesOf } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { payctl } from './payctl.js'

describe('payctl exceptions resolve', () => {
  onDatabases((open) => {
    let shop: LiveShop
    const run = async (...words: readonly string[]) => {
      const { exitCode, stdout, stderr } = await payctl(shop.core.place, [
        ...words,
        '--env',
        'live',
        '--json',
      ])
      const answer: JsonObject = stdout === '' ? {} : JSON.parse(stdout)
      return { exitCode, stderr, answer }
    }
    const openOnes = async () => await shop.list('/admin/exceptions', 'status=open&order_by=id')
    beforeEach(async () => {
      shop = await LiveShop.open(open, () => 0)
      await shop.account('gateway')
      await shop.settle((_, payout) => [
        ...[-100, -200, -300].map((cents) => shop.payouts.stray(payout, 'adjustment', cents)),
        shop.payouts.stray(payout, 'reserve_hold', -400),
      ])
    })

    it('resolves all exceptions that match a filter, after showing their number and sum', async () => {
      const fees = ['--where', 'amount=<=3', '--as', 'cost', '--reason', 'fees of disputes']
      const refused = await run('exceptions', 'resolve', ...fees)
      expect(refused.exitCode).to.equal(2)
      expect(refused.stderr).to.include('3 exceptions of $6.00 together as cost').and.include('--yes')
      const dry = await run('exceptions', 'resolve', ...fees, '--dry-run')
      expect(dry.exitCode).to.equal(0)
      expect(await openOnes()).to.have.length(4)
      const { exitCode, answer } = await run('exceptions', 'resolve', ...fees, '--yes')
      expect(exitCode).to.equal(0)
      expect(valuesOf(answer).map(({ resolution, status }) => `${resolution} ${status}`)).to.deep.equal([
        'cost resolved',
        'cost resolved',
        'cost resolved',
      ])
      expect(await shop.books()).to.include({ processor_cost: -600, suspense: -400 })
      expect((await openOnes()).map(({ amount }) => amount)).to.deep.equal([4])
      const [held] = await openOnes()
      const one = await run('exceptions', 'resolve', String(held?.id), '--as', 'reserve', '--reason', 'held')
      expect(one.answer).to.include({ status: 'resolved', resolution: 'reserve' })
      expect(await shop.books()).to.not.have.any.keys('suspense')
      expect(await shop.findings()).to.deep.equal([])
    })

    it('is named by exceptions show, with the resolutions that fit', async () => {
      const [first] = await shop.list('/admin/exceptions', 'amount=1')
      const { stderr } = await payctl(shop.core.place, [
        'exceptions',
        'show',
        String(first?.id),
        '--env',
        'live',
      ])
      expect(stderr).to.include(
        `payctl exceptions resolve ${String(first?.id)} --env live --as cost --reason "…"\n`,
      )
    })

    it('continues after an exception that does not allow the resolution, and lists the resolved exceptions', async () => {
      const all = ['--where', 'amount=>=1', '--as', 'cost', '--reason', 'a fee', '--yes']
      const [held] = await shop.list('/admin/exceptions', 'amount=4')
      const { exitCode, stderr, answer } = await run('exceptions', 'resolve', ...all)
      expect(exitCode).to.not.equal(0)
      expect(valuesOf(answer)).to.have.length(3)
      expect(stderr).to.include('Does not fit')
      expect((await openOnes()).map(({ id }) => id)).to.deep.equal([held?.id])
    })

    it('refuses a filter by another status instead of resolving all open exceptions', async () => {
      for (const filter of ['status=resolved', 'status!=open', 'status=open|resolved'])
        expect(
          (await run('exceptions', 'resolve', '--where', filter, '--as', 'ignore', '--reason', 'so', '--yes'))
            .exitCode,
        ).to.equal(2)
      expect(await openOnes()).to.have.length(4)
    })

    it('refuses a call with neither an exception nor a filter, and a call with both', async () => {
      const decision = ['--as', 'ignore', '--reason', 'so']
      for (const words of [[], ['exc_1', '--where', 'amount=1']])
        expect((await run('exceptions', 'resolve', ...words, ...decision)).exitCode).to.equal(2)
    })
  })

  onDatabases((open) => {
    it('lets payctl settlements pull read settlements before their scheduled time', async () => {
      const shop = await LiveShop.open(open)
      await shop.pay(await shop.account('gateway'), 20)
      await shop.wait(7)
      shop.payouts.payOut(shop.time.now)
      expect(await shop.ok('POST', '/admin/pull_settlements')).to.include({
        gateways: 1,
        lines: 1,
        exceptions: 0,
        problems: null,
      })
      expect(await shop.list('/admin/settlements')).to.have.length(1)
      const unknown = await shop.send('POST', '/admin/pull_settlements', { gateway: 'none' })
      expect(unknown.body.details).to.deep.equal({ gateway: 'Not found' })
    })
  })
})
