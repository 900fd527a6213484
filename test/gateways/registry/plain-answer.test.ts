import { expect } from 'chai'
import type {
  FoundOutcome,
  GatewayNotice,
  GatewayOperation,
  GatewayOutcome,
  Rail,
} from '../../../src/gateways/contract.js'
import { connectGateway } from '../../../src/gateways/registry/connected-gateway.js'
import { remoteSimulator } from '../../../src/gateways/simulator/remote-simulator.js'
import { UnknownOutcome } from '../../../src/gateways/unknown-outcome.js'
import { openRailClient } from '../../../src/platform/network/rail-client.js'
import { rejection } from '../../support/rejection.js'

const OPERATION: GatewayOperation = { type: 'sale', reference: 'txn_1', amount: 100, currency: 'USD' }
const APPROVED = { result: 'approved', amount: 100, gatewayId: 'pi_1' } as const
/** Parses JSON to a value of any type, to be used where a string is declared. */
const parsed = (json: string) => JSON.parse(json)

describe('the answers of a connected gateway', () => {
  const connected = async (answers: {
    readonly outcome?: GatewayOutcome
    readonly found?: FoundOutcome
    readonly notices?: readonly GatewayNotice[]
  }) => {
    const rail: Rail = {
      capabilities: remoteSimulator().capabilities,
      perform: async () => answers.outcome ?? APPROVED,
      find: async () => answers.found ?? 'cannot_say',
      read: async () => answers.notices ?? [],
    }
    return await connectGateway(
      { load: async () => () => rail, title: 'A rail', secrets: [], baseUrl: undefined },
      {
        name: 'up',
        credentials: { environment: 'live', baseUrl: '', secrets: {} },
        http: openRailClient({ loopback: true }),
        clock: { now: () => 0 },
        stopwatch: { now: () => 0 },
        onCall: () => undefined,
      },
    )
  }
  const unknown = async (outcome: Exclude<FoundOutcome, string>) => {
    const gateway = await connected({ outcome, found: outcome })
    for (const answer of [gateway.perform(OPERATION), gateway.find(OPERATION, { since: 0 })])
      expect((await rejection(answer)).name, JSON.stringify(outcome)).to.equal('UnknownOutcome')
  }

  it('are unknown outcomes if the amount is invalid', async () => {
    for (const amount of [Number.NaN, -1, 0.5, 1e300, parsed('"100"'), parsed('null')])
      await unknown({ ...APPROVED, amount })
  })

  it('are unknown outcomes if the id is invalid', async () => {
    for (const gatewayId of ['', 'a\0b', 'x'.repeat(3_000_000), parsed('{}'), parsed('[1]'), parsed('7')])
      for (const outcome of [
        { ...APPROVED, gatewayId },
        { result: 'pending', gatewayId },
        { result: 'declined', statusCode: 'declined', gatewayId },
      ] as const)
        await unknown(outcome)
  })

  it('lose only malformed codes', async () => {
    for (const odd of ['a\0b', 'x'.repeat(3_000_000), parsed('{}')]) {
      const outcome = { ...APPROVED, code: odd, authCode: odd, networkId: odd, token: 'pm_1/cus_1' }
      const gateway = await connected({ outcome })
      expect(await gateway.perform(OPERATION)).to.deep.equal({
        ...APPROVED,
        code: null,
        authCode: null,
        networkId: null,
        token: 'pm_1/cus_1',
      })
    }
  })

  it('have a shortened reason if they refuse, with card numbers masked', async () => {
    const problem = `No such card: 4242 4242 4242 4242${' and so on'.repeat(100_000)}`
    const outcome = { result: 'misconfigured', scope: 'gateway', problem } as const
    const gateway = await connected({ outcome })
    await gateway.perform(OPERATION)
    const [cause] = gateway.circuits?.unstored() ?? []
    expect(cause?.problem).to.have.length(500)
    expect(cause?.problem).to.include('No such card: xxxx xxxx xxxx xxxx and so on')
  })

  it('about a dispute are unknown outcomes if ids or amounts are invalid', async () => {
    const dispute = {
      kind: 'chargeback',
      dispute: 'dp_1',
      payment: 'pi_1',
      amount: 1,
      statusCode: 'x',
    } as const
    const asked = { id: 'evt_1', type: 'x', about: 'dispute', raw: '' } as const
    for (const odd of [
      { dispute: 'a\0b' },
      { payment: parsed('{}') },
      { amount: -1 },
      { amount: Number.NaN },
    ]) {
      const gateway = await connected({ notices: [{ ...dispute, ...odd }] })
      expect((await rejection(Promise.resolve(gateway.read?.(asked)))).name).to.equal('UnknownOutcome')
    }
  })

  it('have shortened reasons in failed queries, without characters that a database refuses', () => {
    const { message } = new UnknownOutcome(`a\0b 4242424242424242 ${'x'.repeat(10_000)}`)
    expect(message).to.have.length(500)
    expect(message).to.include('ab xxxxxxxxxxxxxxxx').and.not.include('\0')
  })
})
