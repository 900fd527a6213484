import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { Visitor } from '../../test/support/consent.js'
import { REDIRECT } from '../../test/support/oauth.js'

/** Number of requests, names or connections of each kind of attack. */
export interface HostileSizes {
  readonly signUps: number
  readonly pageVisits: number
  /** Number of unknown attribute names in all bodies that are sent with a client key. */
  readonly names: number
  readonly silentConnections: number
}

/** A service under load; `pay` takes a payment and returns its status. */
export interface Target {
  readonly address: string
  readonly clientKey: string
  readonly clientId: string
  pay(): Promise<number>
}

/** Payments during one attack. */
export interface Beside {
  readonly what: string
  /** Duration of each payment in milliseconds, in ascending order. */
  readonly durations: readonly number[]
  /** Statuses of payments that were refused. */
  readonly refused: readonly number[]
}

/** Number of concurrent hostile requests. */
const AT_ONCE = 50
const NAMES_PER_BODY = 50_000

/** Takes `payments` payments without an attack, then at least as many during each kind of attack. */
export async function hostileLoad(
  target: Target,
  sizes: HostileSizes,
  payments: number,
  now: () => number,
): Promise<Beside[]> {
  const beside = async (what: string, attack: () => Promise<void>): Promise<Beside> => {
    const durations: number[] = []
    const refused: number[] = []
    let isOver = false
    const attacking = attack().finally(() => {
      isOver = true
    })
    while (!isOver || durations.length + refused.length < payments) {
      const begun = now()
      const status = await target.pay()
      if (status === 200) durations.push(now() - begun)
      else refused.push(status)
    }
    await attacking
    return { what, durations: durations.sort((one, other) => one - other), refused }
  }
  const silent: Socket[] = []
  try {
    return [
      await beside('nothing else', async () => undefined),
      await beside('sign-ups', () => repeated(sizes.signUps, (number) => signUp(target, number))),
      await beside('page visits', () => repeated(sizes.pageVisits, (number) => visit(target, number))),
      await beside('unknown names', () =>
        repeated(Math.ceil(sizes.names / NAMES_PER_BODY), () =>
          sendNames(target, Math.min(sizes.names, NAMES_PER_BODY)),
        ),
      ),
      await beside('silent connections', () =>
        repeated(sizes.silentConnections, async () => {
          silent.push(await silentConnection(target.address))
        }),
      ),
    ]
  } finally {
    for (const socket of silent) socket.destroy()
  }
}

/** 99th percentile of the durations, in milliseconds. */
export function p99({ durations }: Beside): number {
  return durations[Math.ceil(durations.length * 0.99) - 1] ?? Number.POSITIVE_INFINITY
}

async function repeated(times: number, attack: (number: number) => Promise<unknown>): Promise<void> {
  let next = 0
  const one = async () => {
    while (next < times) await attack(next++)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, one))
}

async function signUp({ address, clientKey, clientId }: Target, number: number): Promise<void> {
  const given = {
    client_key: clientKey,
    org_id: clientId,
    scope: 'org',
    redirect_uri: REDIRECT,
    view: 'sign-up',
  }
  const page = `${address}/oauth/authorize?${new URLSearchParams(given)}`
  const visitor = new Visitor()
  const fields = { business: `Shop ${number}`, industry: 'toys', password: 'correct horse battery' }
  const form = await (await visitor.get(page)).text()
  await (await visitor.send(form, page, { ...fields, email: `owner${number}@example.com` })).text()
}

async function visit({ address }: Target, number: number): Promise<void> {
  const path = number % 2 === 0 ? `/oauth/authorize?client_key=client_key_${number}` : `/pay/plnk_${number}`
  await (await fetch(address + path)).text()
}

async function sendNames({ address, clientKey }: Target, count: number): Promise<void> {
  const body = Object.fromEntries(Array.from({ length: count }, (_, number) => [`unknown_${number}`, 1]))
  const headers = { authorization: `Bearer ${clientKey}`, 'content-type': 'application/json' }
  await (
    await fetch(`${address}/transactions`, { method: 'POST', headers, body: JSON.stringify(body) })
  ).text()
}

async function silentConnection(address: string): Promise<Socket> {
  const { hostname, port } = new URL(address)
  const socket = connect(Number(port), hostname)
  // The service may close the socket at any time.
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  return socket
}
