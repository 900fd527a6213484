import { readFile } from 'node:fs/promises'
import process from 'node:process'
import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'chai'
import { BACKGROUND_JOBS } from '../../src/domain/background-jobs.js'
import { systemClock } from '../../src/platform/clock.js'
import { datetimeOf } from '../../src/schema/datetime.js'
import type { JsonObject } from '../../src/schema/json.js'
import { payctl } from '../cli/commands/payctl.js'
import { idOf, valuesOf } from '../support/core.js'
import { onDatabases, type Place } from '../support/databases.js'
import { card, processingAccount } from '../support/examples.js'
import {
  HOSTILITIES,
  type HostileGateway,
  type Hostility,
  openHostileGateway,
} from '../support/hostile-gateway.js'
import { type HttpService, httpService } from '../support/http.js'
import { startServer } from '../support/server-process.js'

const DAY = 86_400_000
/** Milliseconds between two polls, during which the server can use the CPU. */
const BETWEEN_LOOKS = 100
const LOOPBACK = { PAYCTL_GATEWAY_LOOPBACK: '1' }
/** Maximum memory of `serve`, in mebibytes. */
const MAX_MEMORY = 250
/** Number of payments whose outcome is queried at a gateway that answers with a gigabyte. */
const UNKNOWN = 4
const BULKY = ['gigabyte', 'many_values', 'compressed'] as const

function isHostility(name: string): name is Hostility {
  return name in HOSTILITIES
}

const names = Object.keys(HOSTILITIES).filter(isHostility)

describe('journey: hostile gateways', () => {
  onDatabases((open) => {
    let place: Place
    let service: HttpService
    let key: string
    const time = { now: systemClock.now() - 10 * DAY }
    const gateways = new Map<Hostility, HostileGateway>()

    const ask = async (method: string, path: string, body?: JsonObject): Promise<JsonObject> => {
      const answer = await service.ask(key, method, path, body)
      if (answer.status === 503) {
        // An overloaded service refuses a request without any change. Here it shares the CPU with the gateways.
        await pause(BETWEEN_LOOKS)
        return await ask(method, path, body)
      }
      if (answer.status !== 200) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`)
      return answer.body
    }
    const list = async (path: string) => valuesOf(await ask('GET', path))
    /** Polls until a condition holds. */
    const until = async (holds: () => Promise<boolean>) => {
      while (!(await holds())) await pause(BETWEEN_LOOKS)
    }
    const gatewayNamed = async (name: string) => {
      const found = (await list('/admin/gateways?limit=100')).find((each) => each.name === name)
      if (!found) throw new Error(`There is no gateway ${name}`)
      return found
    }
    const gatewayOf = (hostility: Hostility): HostileGateway => {
      const found = gateways.get(hostility)
      if (!found) throw new Error(`There is no server that is ${hostility}`)
      return found
    }
    const account = async (name: string) => {
      const settings = { duplicate_window: 0, risk_check_enabled: false }
      const id = idOf(await ask('POST', '/processing_accounts', processingAccount(name)))
      await ask('PUT', `/processing_accounts/${id}`, { processing: { status: 'active', settings } })
      return id
    }
    /** Makes a billing schedule that charges a customer's card; returns its id. */
    const billing = async (processing: string) => {
      const customer = await ask('POST', '/customers', {
        name: 'Ada Park',
        primary_processing_id: processing,
        payment_methods: [{ ...card(), default_payment_method: true }],
      })
      const charges = [{ amount: 20, description: 'Reading room' }]
      const schedule = { customer_id: idOf(customer), processing_id: processing, charges }
      return idOf(
        await ask('POST', '/billing_schedules', {
          ...schedule,
          recurring_frequency: 'annually',
          start_date: datetimeOf(time.now + DAY).slice(0, 10),
        }),
      )
    }

    before(async () => {
      place = await open.migrated()
      service = await httpService(
        place,
        {
          gatewayLoopback: true,
          clock: { now: () => time.now },
          report: () => undefined,
        },
        { jobs: BACKGROUND_JOBS },
      )
      key = await service.key({ manage: true })
      for (const name of names) {
        const server = await openHostileGateway(name)
        open.atEnd(() => server.close())
        gateways.set(name, server)
      }
    })

    it('do not delay due work that does not need them, or the settlements of an honest gateway', async () => {
      const hanging = await account('Hanging Books')
      const own = await account('Own Books')
      for (const [name, { address }] of gateways) {
        const credentials = { secret_key: 'test_secret_key_of_another' }
        await ask('POST', '/admin/gateways', { name, kind: 'peer', base_url: address, credentials })
      }
      const bulky = await account('Bulky Books')
      await ask('PUT', '/admin/gateway_routes', { default: 'never', processing_id: hanging })
      await ask('PUT', '/admin/gateway_routes', { default: 'gigabyte', processing_id: bulky })
      await Promise.all([...gateways.values()].map(({ asked }) => asked))

      const payment = { type: 'payment', amount: 12, processing_id: own, payment_method: card() }
      await ask('POST', '/transactions', payment)
      for (let n = 0; n < UNKNOWN; n++)
        expect(await ask('POST', '/transactions', { ...payment, processing_id: bulky })).to.include({
          status: 'processing',
        })
      const link = await ask('POST', '/payment_links', {
        amount: 5,
        description: 'A book',
        processing_id: own,
        type: 'one_time',
        expires_at: datetimeOf(time.now + DAY),
      })
      const billed = await billing(own)
      const waiting = await billing(hanging)
      time.now += 3 * DAY

      await until(async () => (await ask('GET', `/payment_links/${idOf(link)}`)).status === 'expired')
      await until(async () => (await list(`/transactions?type=deposit&processing_id=${own}`)).length > 0)
      const invoices = async (id: string) => await list(`/billing_schedules/${id}/invoices`)
      await until(async () => (await invoices(billed))[0]?.status === 'paid')
      await until(async () => (await invoices(waiting)).length > 0)
      const settled = async () => (await list('/admin/settlements?gateway=honest')).length
      await until(async () => (await settled()) === 1)
      expect(await ask('POST', '/transactions', payment)).to.include({ status: 'processed' })
      // All of this happened although the gateway `never` has not answered.
      expect(gatewayOf('never').times).to.be.least(1)
    })

    it('are each reported with their own problem, also in the status', async () => {
      const lying = ['wrong_types', 'no_list', 'negative', 'to_come', 'closes', 'repeated_places'] as const
      const moving = ['to_metadata', 'elsewhere', 'gigabyte', 'compressed', 'many_values'] as const
      for (const name of [...lying, ...moving])
        await until(async () => typeof (await gatewayNamed(name)).settlements_problem === 'string')
      expect(await gatewayNamed('honest')).to.include({ settlements_problem: null })
      expect((await gatewayNamed('gigabyte')).settlements_problem).to.include('longer than')
      expect((await gatewayNamed('compressed')).settlements_problem).to.include('compressed')
      expect((await gatewayNamed('to_come')).settlements_problem).to.include('which is in the future')
      expect((await gatewayNamed('repeated_places')).settlements_problem).to.include('does not advance')
      expect(gatewayOf('elsewhere').strayed).to.deep.equal([])
      const { lines } = await ask('GET', '/admin/status')
      expect(JSON.stringify(lines)).to.include('gateways gigabyte')
    })

    it('prevent neither a server from stopping nor commands from doing due work', async () => {
      await service.stop()
      for (const words of [
        ['billing', 'run'],
        ['clock', 'advance', '2d'],
      ]) {
        const { exitCode, stderr } = await payctl(place, [...words, '--json'], { variables: LOOPBACK })
        expect(exitCode, stderr).to.equal(0)
      }
    })

    it('neither exhaust the memory of a server nor prevent it from stopping', async () => {
      const asked = names.map((name) => gatewayOf(name).times)
      // Ten days later, all settlements are due to be read again.
      await payctl(place, ['clock', 'set', datetimeOf(systemClock.now() + 10 * DAY)], { variables: LOOPBACK })
      const server = await startServer(place, [], '0', [], LOOPBACK)
      open.atEnd(async () => server.kill())
      await until(async () => names.every((name, index) => gatewayOf(name).times > (asked[index] ?? 0)))
      await until(async () => BULKY.every((name) => gatewayOf(name).open === 0))
      const status = await readFile(`/proc/${server.pid}/status`, 'utf8')
      const peak = Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1024
      if (process.env['PAYCTL_TEST_MEMORY']) process.stderr.write(`${Math.round(peak)} MiB\n`)
      expect(peak).to.be.below(MAX_MEMORY)
      expect(await server.stop()).to.equal(0)
    })
  })
})
