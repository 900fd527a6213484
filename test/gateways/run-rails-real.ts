import process from 'node:process'
import type { Credentials, GatewayOperation, Rail } from '../../src/gateways/contract.js'
import { rails } from '../../src/gateways/registry/rails.js'
import { openRailClient } from '../../src/platform/network/rail-client.js'
import { CHECKED } from './contract/checked-gateway.js'

/**
 * `npm run long -- rails-real`: takes one payment at the sandbox of each processor. It is not part of the test suite.
 * Keys come from these environment variables; rails without keys are skipped.
 */
const KEYS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  stripe: { secret_key: 'PAYCTL_REAL_STRIPE_SECRET_KEY' },
  authorizenet: {
    login_id: 'PAYCTL_REAL_AUTHORIZENET_LOGIN_ID',
    transaction_key: 'PAYCTL_REAL_AUTHORIZENET_TRANSACTION_KEY',
  },
}

const say = (line: string) => void process.stdout.write(`${line}\n`)
const http = openRailClient({ loopback: false })
let ran = 0
for (const [kind, names] of Object.entries(KEYS)) {
  const secrets = Object.fromEntries(Object.entries(names).map(([name, at]) => [name, process.env[at]]))
  const missing = Object.values(names).filter((at) => !process.env[at])
  const entry = rails[kind]
  if (missing.length > 0 || !entry?.baseUrl) {
    say(`– ${kind}: set ${missing.join(', ')}`)
    continue
  }
  const rail = (await entry.load())({ http, now: () => Date.now() })
  await journey(kind, rail, { environment: 'test', baseUrl: entry.baseUrl.test, secrets })
  ran++
}
await http.close()
if (ran === 0) process.exitCode = 1

/**
 * Runs the rail's checks, takes a payment, finds it, and returns the money: by a refund, or by a void before
 * settlement.
 */
async function journey(kind: string, rail: Rail, credentials: Credentials): Promise<void> {
  for (const { name, state, found } of (await rail.check?.(CHECKED, credentials)) ?? [])
    say(`${state === 'ok' ? '✓' : '–'} ${kind} ${name}: ${found}`)
  const since = Date.now()
  const sale = operation(kind, 'sale')
  const taken = await rail.perform(sale, credentials)
  note(kind, 'sale', taken.result === 'approved', taken)
  if (taken.result !== 'approved') return
  const found = await rail.find(sale, { since, gatewayId: taken.gatewayId ?? null }, credentials)
  note(kind, 'find', typeof found === 'object' && found.result === 'approved', found)
  const parent = { reference: sale.reference, gatewayId: taken.gatewayId ?? null, isCaptured: true }
  const type = rail.capabilities.refundBeforeSettlement ? 'refund' : 'void'
  const back = await rail.perform({ ...operation(kind, type), parent, method: undefined }, credentials)
  note(kind, type, back.result === 'approved', back)
}

function note(kind: string, step: string, isGood: boolean, answer: unknown): void {
  say(`${isGood ? '✓' : '✗'} ${kind} ${step}: ${JSON.stringify(answer)}`)
  if (!isGood) process.exitCode = 1
}

function operation(kind: string, type: GatewayOperation['type']): GatewayOperation {
  const now = String(Date.now())
  const token = kind === 'stripe' ? { number: '', token: 'pm_card_visa' } : { number: '4111111111111111' }
  return {
    type,
    reference: `txn_real${now}${type}`,
    refNumber: `REAL${now.slice(-12)}`,
    amount: 100,
    currency: 'USD',
    method: { type: 'card', expiry: '12/39', cardCode: '900', isKept: false, ...token },
  }
}
