import { once } from 'node:events'
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'

/** A fault of one request. */
export type Fault =
  /**
   * The connection breaks before the rail receives the request (`lost_before`), or after the rail has executed it
   * (`lost_after`).
   */
  | 'lost_before'
  | 'lost_after'
  /** The connection breaks. The rail receives the request when `release` is called. */
  | 'arrives_late'
  /** The rail executes the request. The answer comes when `release` is called. */
  | 'slow'
  /** 503 without executing the request; `fails_after` is 500 after executing it. */
  | 'unavailable'
  /** 429 with a `Retry-After` of 7 seconds, without executing the request. */
  | 'too_many'
  | 'fails_after'
  /** After executing the request, half of the answer; `huge` is an answer beyond the size limit. */
  | 'malformed'
  | 'huge'
  /** After executing the request, the answer to the previous request. */
  | 'mixed_up'
  /** After executing the request, the answer names 35.58 instead of 30.58. */
  | 'names_more'
  /** After executing the request, the answer names an unknown state; `odd_type` is an unknown type. */
  | 'odd_state'
  | 'odd_type'
  /** The first page of a list, whatever page was requested. */
  | 'stuck'

/** A request as it came to the network. */
export interface RailRequest {
  readonly method: string
  /** Path and query. */
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

/** Progress of a request that moves money: it arrived at the network, the rail executed it, or its answer was sent. */
export type Step = 'arrived' | 'done' | 'answered'

export interface NetworkOptions {
  /** The server of the rail's wire format. */
  readonly upstream: string
  /** Whether a request moves money. Such a request is recorded, and may get a fault from `faults` or `choose`. */
  readonly moves: (request: RailRequest) => boolean
  /** Whether a request stores a method. Such a request may get a fault from `choose`. */
  readonly stores?: (request: RailRequest) => boolean
}

interface Answer {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly body: Buffer
}

const TOO_MANY = { 'content-type': 'application/json', 'retry-after': '7' }

/** The network between payctl and a rail, with the faults that a test sets. It records requests that move money. */
export class FaultyNetwork {
  readonly faults: Fault[] = []
  /** Chooses the fault of a request if `faults` is empty. */
  choose: () => Fault | undefined = () => undefined
  /** Chooses the fault of a request that neither moves money nor stores a method. */
  chooseOther: (request: RailRequest) => Fault | undefined = () => undefined
  /** Called at each step of a request. If it returns `drop`, the connection breaks there. */
  onStep: (step: Step) => 'drop' | undefined = () => undefined
  private moving: RailRequest[] = []
  /** The answer to the last request that moved money. */
  private before: Answer | undefined
  /** The answer to the last request that moved no money. */
  private otherBefore: Answer | undefined
  private readonly late: (() => Promise<void>)[] = []
  private readonly slow: (() => Promise<void>)[] = []
  /** Each connection is used once, because the rail might close a kept one at the moment of its next use. */
  private readonly agent = new Agent({ keepAlive: false })
  private readonly server = createServer((incoming, response) => void this.carry(incoming, response))

  private constructor(private readonly options: NetworkOptions) {}

  static async open(options: NetworkOptions): Promise<FaultyNetwork> {
    const network = new FaultyNetwork(options)
    network.server.listen(0, '127.0.0.1')
    await once(network.server, 'listening')
    return network
  }

  get address(): string {
    const bound = this.server.address()
    if (bound === null || typeof bound === 'string') throw new Error('The network is not open')
    return `http://127.0.0.1:${bound.port}`
  }

  /** Number of requests that moved money since the last `takeRequests`. */
  get count(): number {
    return this.moving.length
  }

  /** Returns and removes the requests that move money, in order. */
  takeRequests(): readonly RailRequest[] {
    return this.moving.splice(0)
  }

  /** Answers slow requests, and delivers the late ones to the rail. */
  async release(): Promise<void> {
    await this.answerSlow()
    for (const go of this.late.splice(0)) await go()
  }

  /** Sends the answers that were held back by `slow`. */
  async answerSlow(): Promise<void> {
    for (const go of this.slow.splice(0)) await go()
  }

  async close(): Promise<void> {
    this.agent.destroy()
    this.server.closeAllConnections()
    this.server.close()
    await once(this.server, 'close')
  }

  private async carry(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url: path = '', headers } = incoming
    try {
      const body = (await wholeOf(incoming)).toString('utf8')
      const asked: RailRequest = { method, path, headers, body }
      const { moves, stores } = this.options
      if (moves(asked)) {
        this.moving.push(asked)
        await this.carryAway(asked, response, this.faults.shift() ?? this.choose())
      } else if (stores?.(asked)) await this.carryAway(asked, response, this.choose())
      else await this.carryOther(asked, response, this.chooseOther(asked))
    } catch {
      // The client or the rail has closed its connection.
      response.destroy()
    }
  }

  /** Forwards a request that moves no money. It has no steps. */
  private async carryOther(
    asked: RailRequest,
    response: ServerResponse,
    fault: Fault | undefined,
  ): Promise<void> {
    if (isRefused(fault, response)) return
    const answered = await this.forward(fault === 'stuck' ? atFirstPage(asked) : asked)
    if (fault === 'mixed_up') answer(response, this.otherBefore ?? answered)
    else spoil(response, answered, fault)
    this.otherBefore = answered
  }

  private async carryAway(
    asked: RailRequest,
    response: ServerResponse,
    fault: Fault | undefined,
  ): Promise<void> {
    if (isRefused(fault, response)) return
    switch (fault) {
      case 'arrives_late':
        this.late.push(async () => void (await this.forward(asked)))
        return void response.destroy()
      case 'slow':
        return void this.slow.push(async () => answer(response, await this.forward(asked)))
    }
    if (this.onStep('arrived') === 'drop') return void response.destroy()
    const answered = await this.forward(asked)
    if (this.onStep('done') === 'drop') return void response.destroy()
    if (fault === 'mixed_up') answer(response, this.before ?? answered)
    else spoil(response, answered, fault)
    this.before = answered
    this.onStep('answered')
  }

  private async forward({ method, path, headers, body }: RailRequest): Promise<Answer> {
    const { host: _, connection: __, ...rest } = headers
    const sent = request(new URL(path, this.options.upstream), { method, headers: rest, agent: this.agent })
    const responded = once(sent, 'response')
    sent.end(body)
    const [incoming]: IncomingMessage[] = await responded
    if (!incoming) throw new Error('The rail answers nothing')
    return { status: incoming.statusCode ?? 0, headers: incoming.headers, body: await wholeOf(incoming) }
  }
}

/**
 * Answers a request whose fault happens before the rail receives it, and returns true. Returns false for any other
 * fault.
 */
function isRefused(fault: Fault | undefined, response: ServerResponse): boolean {
  switch (fault) {
    case 'lost_before':
      response.destroy()
      return true
    case 'unavailable':
      response.writeHead(503).end('<html>Service Unavailable</html>')
      return true
    case 'too_many':
      response.writeHead(429, TOO_MANY).end('{"error":{"message":"Slow down"}}')
      return true
    default:
      return false
  }
}

/** The request for the first page of the same list. */
function atFirstPage(asked: RailRequest): RailRequest {
  const path = asked.path.replace(/(?<=[?&])(starting_after|ending_before|after|offset)=[^&]*&?/, '')
  return { ...asked, path, body: asked.body.replace(/"offset":"\d+"/, '"offset":"1"') }
}

/** Sends the answer, spoilt by the fault. */
function spoil(response: ServerResponse, answered: Answer, fault: Fault | undefined): void {
  switch (fault) {
    case 'lost_after':
      response.destroy()
      break
    case 'fails_after':
      response.writeHead(500).end('An error occurred')
      break
    case 'malformed':
      answer(response, { ...answered, body: answered.body.subarray(0, answered.body.length / 2) })
      break
    case 'huge':
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(`"${'x'.repeat(9 * 1024 * 1024)}"`)
      break
    case 'names_more':
      answer(response, { ...answered, body: namingMore(answered.body) })
      break
    case 'odd_state':
      answer(response, { ...answered, body: inOddWords(answered.body, STATES) })
      break
    case 'odd_type':
      answer(response, { ...answered, body: inOddWords(answered.body, TYPES) })
      break
    default:
      answer(response, answered)
  }
}

/** Fields with a state in the answers of all rails. `responseCode` is that of Authorize.Net. */
const STATES = /"(status|transactionStatus|responseCode|stage)":("\w+"|\d)/g

const TYPES = /"(object|type|transactionType)":"\w+"/g

function inOddWords(body: Buffer, words: RegExp): Buffer {
  return Buffer.from(body.toString('utf8').replaceAll(words, '"$1":"levitating"'))
}

function namingMore(body: Buffer): Buffer {
  return Buffer.from(body.toString('utf8').replaceAll(/\b30(\.?)58\b/g, '35$158'))
}

function answer(response: ServerResponse, { status, headers, body }: Answer): void {
  const { connection: _, 'transfer-encoding': __, 'content-length': ___, ...rest } = headers
  response.writeHead(status, rest).end(body)
}

async function wholeOf(stream: IncomingMessage): Promise<Buffer> {
  const parts: Uint8Array[] = []
  for await (const part of stream) parts.push(part)
  return Buffer.concat(parts)
}
