import { mkdtemp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import type { JsonObject } from '../../src/schema/json.js'
import { payctl } from '../cli/commands/payctl.js'
import type { WireServer } from '../gateways/contract/opened-rail.js'
import { RAILS, realTime, wireServers } from '../gateways/contract/wire-servers.js'
import { CARD, payerAt } from '../http/payer/payer.js'
import { idOf, valuesOf } from '../support/core.js'
import { onSqlite, type Place } from '../support/databases.js'
import { type HttpService, httpService } from '../support/http.js'
import { runFolder } from '../support/run-folder.js'

const LIVE = ['--env', 'live', '--json']
const MONEY = [...LIVE, '--confirm', 'live']

/** Flags for `payctl gateways add`, without the secret of notifications, which is not known yet. */
async function flagsFor({ configuration }: WireServer): Promise<string[]> {
  const { base_url: address, merchant, credentials } = configuration
  const folder = await mkdtemp(join(runFolder, 'first-'))
  const flags = ['--base-url', address, '--card-entry', ...(merchant ? ['--merchant', merchant] : [])]
  for (const [name, value] of Object.entries(credentials)) {
    const flag = `--${name.replaceAll('_', '-')}`
    if (name === 'notification_secret') continue
    if (name === 'login_id') flags.push(flag, value)
    else {
      await writeFile(join(folder, name), `${value}\n`)
      flags.push(`${flag}-file`, join(folder, name))
    }
  }
  return flags
}

for (const kind of RAILS)
  describe(`journey: the first live payment by ${kind}`, () => {
    onSqlite((open) => {
      let place: Place
      let wire: WireServer
      let service: HttpService
      /** Milliseconds by which the clock of the service is ahead, to reach the six-hourly read of settlements. */
      let shift = 0
      before(async () => {
        place = await open.migrated()
        wire = await wireServers[kind](realTime, () => open.migrated())
        open.atEnd(() => wire.close())
        const clock = { now: () => Date.now() + shift }
        service = await httpService(place, { gatewayLoopback: true, clock })
        open.atEnd(() => service.stop())
      })

      const run = async (...words: string[]) => {
        const variables = {
          PAYCTL_GATEWAY_LOOPBACK: '1',
          PAYCTL_PUBLIC_URL: service.address,
        }
        return await payctl(place, words, { variables })
      }
      const done = async (...words: string[]): Promise<JsonObject> => {
        const { exitCode, stdout, stderr } = await run(...words)
        if (exitCode !== 0) throw new Error(`payctl ${words.join(' ')}: ${stderr}`)
        return JSON.parse(stdout)
      }
      const walk = async () => {
        const steps = valuesOf(await done('gateways', 'test', 'up', '--first-payment', ...MONEY))
        return { steps: steps.map(({ step, state }) => `${step} ${state}`), last: steps.at(-1) }
      }

      it('begins with one command, which creates the webhook endpoint and reports what works', async () => {
        const shop = ['--data', 'docs/corner-shop.json', '--processing.status', 'active']
        await done('processing-accounts', 'create', ...LIVE, ...shop)
        const { exitCode, stdout, stderr } = await run(
          'gateways',
          'add',
          kind,
          '--name',
          'up',
          ...LIVE,
          ...(await flagsFor(wire)),
        )
        expect(exitCode, stderr).to.equal(0)
        const added: JsonObject = JSON.parse(stdout)
        expect(added).to.include({ problem: null, name: 'up' })
        const checks = JSON.stringify(added.checks)
        expect(checks).to.include('It notifies http').and.not.include('failed')
        expect(stdout + stderr).to.not.include('whsec_')
      })

      it('waits for a route, the payer and the rail, and performs each step once', async () => {
        const unrouted = await run('gateways', 'test', 'up', '--first-payment', ...MONEY)
        expect(unrouted.exitCode).to.equal(8)
        expect(unrouted.stdout).to.include('payctl gateways route --default up')
        await done('gateways', 'route', ...MONEY, '--default', 'up')
        const asked = await walk()
        expect(asked.steps).to.deep.equal(['tested ok', 'routed ok', 'paid waiting'])
        expect((await walk()).last).to.deep.equal(asked.last)
        const url = /http\S+/.exec(String(asked.last?.found))?.[0] ?? ''
        const payer = payerAt(service.address)
        await payer.send(await payer.get(new URL(url).pathname), CARD)
        const can = await service.app.capabilitiesOf(kind)
        const isLate = !(can?.refundBeforeSettlement && can.settlesRefunded)
        const refunded = `refunded ${isLate ? 'waiting' : 'ok'}`
        // Step `notified` may be done or waiting, because a peer posts its webhook at once.
        expect((await walk()).steps).to.include.members(['paid ok', refunded, 'settled waiting'])
        const [payment] = await wire.operations()
        await wire.notify(payment ?? '')
        const live = await service.app.environment('live')
        await (await live.atGateway('up')).handleNotifications()
        expect((await walk()).steps.slice(2)).to.deep.equal([
          'paid ok',
          'notified ok',
          refunded,
          'settled waiting',
        ])
        // Settles several days of a peer, because a day may be no business day.
        for (let times = 0; times < (kind === 'peer' ? 3 : 1); times++) await wire.settle()
        shift = 7 * 3_600_000
        await live.runDueJobs()
        // Some rails accept a refund only after settlement; a waiting one is sent now.
        await live.reconcile(0)
        const last = await walk()
        expect(last.steps).to.deep.equal([
          'tested ok',
          'routed ok',
          'paid ok',
          'notified ok',
          'refunded ok',
          'settled ok',
        ])
        expect(await wire.taken()).to.equal(0)
        const all = valuesOf(await done('transactions', 'list', ...LIVE))
        expect(all.filter(({ type }) => type === 'payment')).to.have.lengthOf(1)
        expect(all.filter(({ type }) => type === 'refund')).to.have.lengthOf(1)
      })

      it('removes the endpoint together with the gateway at the end', async () => {
        await done('gateways', 'route', ...MONEY, '--default', 'none')
        const { exitCode, stderr } = await run('gateways', 'remove', 'up', ...MONEY)
        expect([exitCode, stderr.includes('Warning')], stderr).to.deep.equal([0, false])
        const [gateway] = valuesOf(await done('gateways', 'list', ...LIVE))
        expect(gateway && idOf(gateway)).to.equal(undefined)
      })
    })
  })
