import type { Gateway, GatewayMethod, GatewayOperation } from '../../src/gateways/contract.js'

/** The values of a gateway request that concern money. */
export interface RecordedRequest {
  readonly type: GatewayOperation['type']
  /** Amount in minor units. */
  readonly amount: number
  readonly currency: string
  readonly reference: string
  readonly parent: string | undefined
  /** Number of the card or bank account that is charged or paid. */
  readonly number: string | undefined
  /** Initiator of the operation, if it begins with a payment method. */
  readonly initiator: GatewayOperation['initiator']
}

/** A gateway that records each request before it is answered. */
export interface RecordingGateway {
  readonly gateway: Gateway
  /** Returns and removes the recorded requests, in order. */
  takeRequests(): RecordedRequest[]
  /** Payment method of the last request. */
  lastMethod(): GatewayMethod | undefined
  /** Returns and removes the references whose outcome was looked up, in order. */
  takeLookups(): string[]
}

/** Wraps a gateway so that its requests are recorded, whatever their outcome. */
export function recordingGateway(inner: Gateway): RecordingGateway {
  const requests: RecordedRequest[] = []
  const lookups: string[] = []
  let method: GatewayMethod | undefined

  const record = (operation: GatewayOperation) => {
    const { type, amount, currency, reference, parent, initiator } = operation
    // Keeps only values that can be serialized.
    method = operation.method && JSON.parse(JSON.stringify(operation.method))
    const said = { type, amount, currency, reference, parent: parent?.reference, number: method?.number }
    requests.push({ ...said, initiator })
  }

  return {
    gateway: recorded(inner, record, lookups),
    takeRequests: () => requests.splice(0),
    lastMethod: () => method,
    takeLookups: () => lookups.splice(0),
  }
}

function recorded(inner: Gateway, record: (operation: GatewayOperation) => void, lookups: string[]): Gateway {
  if (inner.kind === 'embedded')
    return {
      ...inner,
      perform(operation) {
        record(operation)
        return inner.perform(operation)
      },
    }
  return {
    ...inner,
    async perform(operation) {
      record(operation)
      return await inner.perform(operation)
    },
    async find(operation, since) {
      lookups.push(operation.reference)
      return await inner.find(operation, since)
    },
  }
}
