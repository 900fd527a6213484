import type { ServerResponse } from 'node:http'
import type { Chance } from '../../support/chance.js'
import type { Behaviour, Received } from '../../support/receiver.js'

/** A delivery and the answer of the receiver. */
interface Answered {
  readonly received: Received
  readonly isTaken: boolean
}

/**
 * A receiver that misbehaves in this percentage of cases. It refuses, stalls, cuts the connection, redirects,
 * requests a delay, or answers endlessly. An endless answer counts as a success, because of its status.
 */
export function hostile(chance: Chance, percent: number, answered: (one: Answered) => void): Behaviour {
  return (received, response) => {
    const way = chance.percent(percent) ? chance.pick(WAYS) : undefined
    answered({ received, isTaken: way === undefined || way === endlessly })
    if (way) way(response)
    else response.end()
  }
}

const WAYS: readonly ((response: ServerResponse) => void)[] = [
  (response) => response.writeHead(500).end('no'),
  (response) => response.writeHead(403).end(),
  (response) => response.writeHead(302, { location: '/elsewhere' }).end(),
  (response) => response.writeHead(429, { 'retry-after': '7' }).end(),
  (response) => response.writeHead(503, { 'retry-after': 'Fri, 31 Dec 1999 23:59:59 GMT' }).end(),
  (response) => response.destroy(),
  () => undefined,
  (response) => response.socket?.end('HTTP/9.9 nonsense\r\n\r\n'),
  endlessly,
]

function endlessly(response: ServerResponse): void {
  const part = Buffer.alloc(64 * 1024)
  const more = () => {
    while (!response.destroyed && response.write(part));
  }
  response.on('drain', more)
  more()
}
